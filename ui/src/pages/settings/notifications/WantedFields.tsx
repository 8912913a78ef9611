import type { Wanted } from "../../../api/devices";
import { Field, Select, Switch } from "../../../components/fields";
import classes from "./Notifications.module.css";

const severities: { value: Wanted["severity"]; label: string }[] = [
  { value: "all", label: "All alerts" },
  { value: "warning", label: "Warning and critical" },
  { value: "critical", label: "Critical only" },
];

/** Of which alerts a device is notified, and whether also of their end. */
export function WantedFields({ wanted, onChange }: { wanted: Wanted; onChange: (change: Partial<Wanted>) => void }) {
  return (
    <div className={classes.wanted}>
      <Field label="Alerts">
        {(id) => (
          <Select
            id={id}
            value={wanted.severity}
            options={severities}
            onChange={(v) => onChange({ severity: v as Wanted["severity"] })}
          />
        )}
      </Field>
      <Switch label="Also when they clear" checked={wanted.cleared} onChange={(cleared) => onChange({ cleared })} />
    </div>
  );
}
