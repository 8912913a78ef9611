import { IconChevronDown, IconPlus, IconX } from "@tabler/icons-react";
import type { AlertSummary } from "../../api/ui.gen";
import { Chip } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { severities, severityWord } from "../../components/Severity";
import { type AlertFilter, countIn, servicesOf, unset } from "../../lib/alertFilter";
import { whole } from "../../lib/format";
import { labelsOf, labelText, readFilter, toggled, writeFilter } from "../../lib/labels";
import classes from "./Alerts.module.css";

const states = [
  { value: "", label: "All" },
  { value: "firing", label: "Firing" },
  { value: "acknowledged", label: "Acknowledged" },
  { value: "ok", label: "OK" },
  { value: "snoozed", label: "Snoozed" },
  { value: "inactive", label: "Inactive" },
];

type Props = {
  /** Every alert that matches the words that are looked for; nothing while they are on their way. */
  all: AlertSummary[] | undefined;
  filter: AlertFilter;
  change: (to: AlertFilter) => void;
};

/** States with how many are in them, and the other ways to narrow the list. */
export function AlertFilters({ all, filter, change }: Props) {
  return (
    <>
      {states.map((s) => (
        <Chip
          key={s.value}
          active={(filter.state ?? "") === s.value}
          aria-pressed={(filter.state ?? "") === s.value}
          onClick={() => change({ state: s.value })}
        >
          {all ? `${s.label} ${whole(countIn(all, filter, s.value))}` : s.label}
        </Chip>
      ))}
      {all && all.length > 0 && (
        <>
          <span className={classes.divider} aria-hidden />
          <SeverityFilter filter={filter} change={change} />
          <LabelFilters all={all} filter={filter} change={change} />
          <ServiceFilter all={all} filter={filter} change={change} />
          {filter.maintenance && (
            <Remove label="In maintenance" drop={() => change({ maintenance: "" })}>
              In maintenance
            </Remove>
          )}
        </>
      )}
    </>
  );
}

/** A filter that is set: pressed, it is gone. */
function Remove({ label, drop, children }: { label: string; drop: () => void; children: React.ReactNode }) {
  return (
    <Chip active onClick={drop} aria-label={`Remove filter ${label}`}>
      {children}
      <IconX size={13} stroke={1.8} aria-hidden />
    </Chip>
  );
}

function SeverityFilter({ filter, change }: Omit<Props, "all">) {
  if (filter.severity) {
    const word = severityWord(filter.severity);
    return (
      <Remove label={`Severity ${word}`} drop={() => change({ severity: "" })}>
        {`Severity is ${word}`}
      </Remove>
    );
  }
  return (
    <Menu
      label="Severity"
      align="start"
      items={[...severities, { value: unset, label: "Not set" }].map((s) => ({
        label: s.label,
        run: () => change({ severity: s.value }),
      }))}
      target={(p) => (
        <Chip {...p}>
          Severity <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </Chip>
      )}
    />
  );
}

/** "team is any of 3"; further labels are added to it. */
function LabelFilters({ all, filter, change }: Props) {
  const set = readFilter(filter.label);
  const known = labelsOf(all ?? []);
  const say = (values: string[]) => (values.length === 1 ? `is ${values[0]}` : `is any of ${values.length}`);
  return (
    <>
      {[...set].map(([name, values]) => (
        <Remove
          key={name}
          label={`${name} ${say(values)}`}
          drop={() => change({ label: writeFilter(new Map([...set].filter(([n]) => n !== name))) })}
        >
          <span>
            <span className="mono">{name}</span> {say(values)}
          </span>
        </Remove>
      ))}
      {known.length > 0 && (
        <Menu
          label="Labels"
          align="start"
          items={known.map((l) => ({
            label: labelText(l.name, l.value),
            hint: whole(l.count),
            checked: set.get(l.name)?.includes(l.value) ?? false,
            run: () => change({ label: writeFilter(toggled(set, l.name, l.value)) }),
          }))}
          target={(p) => (
            <Chip dashed {...p}>
              <IconPlus size={13} stroke={1.6} aria-hidden /> Label
            </Chip>
          )}
        />
      )}
    </>
  );
}

function ServiceFilter({ all, filter, change }: Props) {
  const known = servicesOf(all ?? []);
  const title = known.find((s) => String(s.id) === filter.service)?.title ?? `Service ${filter.service}`;
  if (filter.service)
    return (
      <Remove label={`notifies ${title}`} drop={() => change({ service: "" })}>
        {`Notifies ${title}`}
      </Remove>
    );
  if (known.length === 0) return null;
  return (
    <Menu
      label="Services"
      align="start"
      items={known.map((s) => ({ label: s.title, run: () => change({ service: String(s.id) }) }))}
      target={(p) => (
        <Chip {...p}>
          Notifies <IconChevronDown size={13} stroke={1.6} aria-hidden />
        </Chip>
      )}
    />
  );
}
