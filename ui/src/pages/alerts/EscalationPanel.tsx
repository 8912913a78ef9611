import { Link } from "@tanstack/react-router";
import type { AlertDetail, ServiceSummary, StepView } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { useNow } from "../../components/useNow";
import { shortMoment } from "../../lib/alertWords";
import { duration } from "../../lib/format";
import { ServiceIcon } from "../../services/ServiceIcon";
import { useSession } from "../../shell/useSession";
import classes from "./Alert.module.css";
import own from "./Incident.module.css";
import { NextNotified } from "./NextNotified";

/** Who was notified, who is next and when; of an alert that does not fire, who would be. */
export function EscalationPanel({ alert: a }: { alert: AlertDetail }) {
  const { canEdit } = useSession();
  const firing = a.incident_id > 0;
  if (!firing && a.escalation.length === 0) return <Notifies alert={a} />;
  return (
    <Panel className={classes.box ?? ""} aria-label="Escalation">
      <header className={own.escalationHead}>
        <h2>Escalation</h2>
        {firing ? <NextNotified alert={a} /> : <span className="t3">while nobody acknowledges</span>}
      </header>
      {a.escalation.length === 0 ? (
        <p className="t2">
          {"No escalation. "}
          {canEdit && (
            <Link to="/alerts/$id/edit" params={{ id: String(a.id) }}>
              Add steps
            </Link>
          )}
        </p>
      ) : (
        <Steps alert={a} />
      )}
    </Panel>
  );
}

/** Whom it notifies when it fires. */
function Notifies({ alert: a }: { alert: AlertDetail }) {
  return (
    <Panel className={classes.box ?? ""} aria-label="Notifies">
      <header className={own.escalationHead}>
        <h2>Notifies</h2>
        <span className={own.notified}>
          {a.services.length === 0 && <span className={own.amber}>Nobody is notified. The alert only shows here.</span>}
          {a.services.map((s) => (
            <b key={s.id} className={own.service}>
              <ServiceIcon type={s.type} size={14} />
              <span className="cut">{s.title}</span>
            </b>
          ))}
        </span>
      </header>
    </Panel>
  );
}

type Column = { title: string; services: ServiceSummary[]; at: number; taken: boolean };

const columnOf = (s: StepView, i: number): Column => ({
  title: `Step ${i + 1}, after ${duration(s.after_seconds)}`,
  services: s.services,
  at: s.at,
  taken: s.taken,
});

/** The services of the alert are notified at once; each step is a column of its own after them. */
function Steps({ alert: a }: { alert: AlertDetail }) {
  const waiting = a.next.length > 0;
  const now = useNow(waiting);
  const first: Column = { title: "At once", services: a.services, at: a.notified_at, taken: a.notified_at > 0 };
  const columns = [first, ...a.escalation.map(columnOf)];
  return (
    <ol className={own.steps}>
      {columns.map((c, i) => {
        const after = columns[i + 1];
        const current = c.taken && after !== undefined && !after.taken;
        return (
          <li key={c.title} data-taken={c.taken || undefined} data-current={(current && waiting) || undefined}>
            <i className={own.track} aria-hidden>
              <i style={{ width: `${passed(c, after, waiting ? now : 0) * 100}%` }} />
            </i>
            <span className="t2">{c.title}</span>
            {c.services.length === 0 && <b className="t3">nobody</b>}
            {c.services.map((s) => (
              <b key={s.id} className={own.service}>
                <ServiceIcon type={s.type} size={14} />
                <span className="cut">{s.title}</span>
              </b>
            ))}
            <span className="t3">{when(c, a)}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** How much of the way to the next step is over. */
function passed(c: Column, after: Column | undefined, now: number): number {
  if (!c.taken || !after) return 0;
  if (after.taken) return 1;
  return after.at > c.at ? Math.min(1, Math.max(0, (now - c.at) / (after.at - c.at))) : 0;
}

function when(c: Column, a: AlertDetail): string {
  if (c.taken) return `${shortMoment(c.at)}, notified`;
  if (!a.incident_id) return "";
  if (a.acknowledged_at) return "not needed";
  return c.at ? `${shortMoment(c.at)}, unless acknowledged` : "";
}
