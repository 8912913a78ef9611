import {
  IconBellOff,
  IconBellRinging,
  IconCheck,
  IconChevronDown,
  IconClock,
  IconFlame,
  IconPlus,
  IconTag,
  IconTool,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { services } from "../../api/services";
import type { AlertSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { Menu, type MenuItem } from "../../components/Menu";
import { severities, severityWord } from "../../components/Severity";
import { applies } from "../../lib/bulk";
import { whole } from "../../lib/format";
import { ServiceIcon } from "../../services/ServiceIcon";
import classes from "./Bulk.module.css";
import { BulkLabels } from "./BulkLabels";
import parts from "./pillsAndLinks.module.css";
import { snoozeItems } from "./Snooze";
import { useBulk } from "./useBulk";
import type { Selection } from "./useSelection";

type Props = { shown: AlertSummary[]; selection: Selection };

/** What can be done with the selected alerts. */
export function BulkBar({ shown, selection }: Props) {
  const selected = shown.filter((a) => selection.has(a.id));
  const bulk = useBulk(selected);
  const navigate = useNavigate();
  const [labelling, setLabelling] = useState(false);
  const many = (change: Parameters<typeof bulk.run>[0]) => selected.filter((a) => applies(change, a)).length;
  const toMaintenance = () =>
    void navigate({ to: "/maintenance", search: { alerts: selected.map((a) => a.id).join(",") } });
  const firing = many({ action: "acknowledge" });
  return (
    <div className={classes.bar} role="toolbar" aria-label="Selected alerts" aria-busy={bulk.pending || undefined}>
      <b className={classes.count}>{`${whole(selected.length)} selected`}</b>
      {firing > 0 && (
        <Act
          icon={<IconCheck size={15} stroke={1.6} />}
          run={() => bulk.run({ action: "acknowledge" }, (n) => `${n} acknowledged.`)}
        >
          {`Acknowledge ${whole(firing)}`}
        </Act>
      )}
      <Choice
        label="Snooze"
        icon={<IconClock size={15} stroke={1.6} />}
        items={snoozeItems((until, words) =>
          bulk.run({ action: "snooze", ...(until !== null && { until }) }, (n) => `${n} snoozed ${words}.`),
        )}
      />
      <Act icon={<IconTag size={15} stroke={1.6} />} run={() => setLabelling(true)}>
        Labels
      </Act>
      <Choice
        label="Severity"
        icon={<IconFlame size={15} stroke={1.6} />}
        items={[...severities, { value: "" as const, label: "Not set" }].map((s) => ({
          label: s.label,
          run: () =>
            bulk.run({ action: "severity", severity: s.value }, (n) => `Severity of ${n}: ${severityWord(s.value)}.`),
        }))}
      />
      {many({ action: "deactivate" }) > 0 && (
        <Act
          icon={<IconBellOff size={15} stroke={1.6} />}
          run={() => bulk.run({ action: "deactivate" }, (n) => `${n} set Inactive.`)}
        >
          Set Inactive
        </Act>
      )}
      {many({ action: "activate" }) > 0 && (
        <Act
          icon={<IconBellRinging size={15} stroke={1.6} />}
          run={() => bulk.run({ action: "activate" }, (n) => `${n} set Active.`)}
        >
          Set Active
        </Act>
      )}
      <AddService
        run={(id, title) => bulk.run({ action: "add service", service: id }, (n) => `${title} added to ${n}.`)}
      />
      <Act icon={<IconTool size={15} stroke={1.6} />} run={toMaintenance}>
        Maintenance…
      </Act>
      <span className={classes.end}>
        {selected.length < shown.length && (
          <button type="button" className={parts.quietLink} onClick={selection.all}>
            {`Select all ${whole(shown.length)}`}
          </button>
        )}
        <IconButton label="End the selection" onClick={selection.clear}>
          <IconX size={16} stroke={1.6} />
        </IconButton>
      </span>
      {labelling && (
        <BulkLabels
          selected={selected}
          close={() => setLabelling(false)}
          save={(labels) => bulk.run({ action: "labels", labels }, (n) => `Labels of ${n} changed.`)}
        />
      )}
    </div>
  );
}

const Act = ({ icon, run, children }: { icon: ReactNode; run: () => void; children: string }) => (
  <Button variant="default" size="xs" leftSection={icon} onClick={run}>
    {children}
  </Button>
);

function Choice({ label, icon, items }: { label: string; icon: ReactNode; items: MenuItem[] }) {
  return (
    <Menu
      label={`${label} of the selected alerts`}
      align="start"
      items={items}
      target={(p) => (
        <Button variant="default" size="xs" leftSection={icon} {...p}>
          {label}
          <IconChevronDown size={14} stroke={1.6} style={{ marginLeft: 8 }} aria-hidden />
        </Button>
      )}
    />
  );
}

function AddService({ run }: { run: (id: number, title: string) => void }) {
  const { data } = useQuery(services.list());
  if (!data?.items.length) return null;
  return (
    <Choice
      label="Add service"
      icon={<IconPlus size={15} stroke={1.6} />}
      items={data.items.map((s) => ({
        label: s.title,
        hint: s.type,
        icon: <ServiceIcon type={s.type} size={15} />,
        run: () => run(s.id, s.title),
      }))}
    />
  );
}
