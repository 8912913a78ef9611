import type { Wanted } from "../api/devices";
import { Field, Select, Switch } from "../components/fields";
import { LabelField } from "../components/Labels";
import { viewer } from "../lib/viewer";
import classes from "./Devices.module.css";
import { timesOfDay } from "./timesOfDay";

const severities: { value: Wanted["severity"]; label: string }[] = [
  { value: "all", label: "All alerts" },
  { value: "warning", label: "Warning and critical" },
  { value: "critical", label: "Critical only" },
];

type Props = { wanted: Wanted; onChange: (change: Partial<Wanted>) => void };

/** Of which alerts a device is notified, when, and whether also of their end. */
export function WantedFields({ wanted, onChange }: Props) {
  return (
    <div className={classes.wanted}>
      <Field label="Alerts" hint="Those that this device is notified of.">
        {(id) => (
          <Select
            id={id}
            value={wanted.severity}
            options={severities}
            onChange={(v) => onChange({ severity: v as Wanted["severity"] })}
          />
        )}
      </Field>
      <LabelField
        label="Only with labels"
        hint="Of all labels here; none means any alert."
        labels={wanted.labels ?? {}}
        onChange={(labels) => onChange({ labels })}
      />
      <Switch
        label="Also when they clear"
        hint="Another notification says that it is over."
        checked={wanted.cleared}
        onChange={(cleared) => onChange({ cleared })}
      />
      {wanted.severity !== "critical" && <QuietFields wanted={wanted} onChange={onChange} />}
    </div>
  );
}

/** When a device is notified of critical alerts alone. */
function QuietFields({ wanted: { quiet }, onChange }: Props) {
  const night = { from: "22:00", to: "07:00", zone: viewer().zone };
  const at = (which: "from" | "to", label: string) =>
    quiet && (
      <Field label={label}>
        {(id) => (
          <Select
            id={id}
            value={quiet[which]}
            options={timesOfDay(quiet[which])}
            onChange={(v) => onChange({ quiet: { ...quiet, [which]: v } })}
          />
        )}
      </Field>
    );
  return (
    <div className={classes.quiet}>
      <Switch
        label="Quiet hours"
        hint="Only critical alerts notify then."
        checked={Boolean(quiet)}
        onChange={(on) => onChange({ quiet: on ? night : null })}
      />
      {at("from", "From")}
      {at("to", "To")}
      {quiet && (
        <p className={classes.note}>{`Critical alerts notify at any time. Times are those of ${quiet.zone}.`}</p>
      )}
    </div>
  );
}
