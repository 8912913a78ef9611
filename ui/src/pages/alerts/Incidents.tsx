import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import type { Incident } from "../../api/types.gen";
import type { AlertDetail } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { Skeleton } from "../../components/Skeleton";
import { ending, lasted, maintenanceWords } from "../../lib/alertWords";
import { dayAndMonth, moment, value, whole } from "../../lib/format";
import classes from "./Alert.module.css";
import parts from "./pillsAndLinks.module.css";
import { Strip } from "./Strip";

const week = 7 * 86_400;
const few = 5;

/** When it fired: a week as a strip, and one by one. */
export function Incidents({ alert: a, unit, shown }: { alert: AlertDetail; unit: string; shown: number | undefined }) {
  const { data } = useQuery(alerts.incidents(a.id));
  const [all, setAll] = useState(false);
  if (!data) return <Skeleton height={180} radius={10} />;
  const now = Date.now() / 1000;
  const recent = data.filter((i) => (i.cleared_at ?? now) > now - week);
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>Incidents</h2>
        <span className="t3">{`${recent.length} in 7 days`}</span>
      </header>
      <Strip alert={a} strip={recent.map((i) => [i.triggered_at, i.cleared_at ?? now])} seconds={week} />
      <div className={classes.ends}>
        <span>{dayAndMonth(now - week)}</span>
        {a.state !== "inactive" && <span>{maintenanceWords(a)}</span>}
        <span>now</span>
      </div>
      {data.length === 0 && <p className="t2">It has not fired yet.</p>}
      <ul className={classes.line}>
        {data.slice(0, all ? data.length : few).map((i) => (
          <IncidentRow key={i.id} incident={i} unit={unit} shown={i.id === shown} />
        ))}
      </ul>
      {data.length > few && !all && (
        <button type="button" className={parts.link} onClick={() => setAll(true)}>
          {`All ${data.length}`}
        </button>
      )}
    </Panel>
  );
}

/** The stream that the peak is of. */
const worst = ({ peak, violations }: Incident) =>
  violations.find((v) => peak !== null && Math.abs(v.value - peak) < 1e-6) ?? violations[0];

type RowProps = { incident: Incident; unit: string; shown: boolean };

/** The time leads to what happened then. */
function IncidentRow({ incident: i, unit, shown }: RowProps) {
  const open = i.cleared_at === null;
  const how = ending(i);
  const first = worst(i)?.stream;
  return (
    <li data-open={open}>
      <Link
        to="/alerts/$id"
        params={{ id: String(i.alert_id) }}
        search={(old: object) => ({ ...old, incident: String(i.id) })}
        className={classes.when ?? ""}
        aria-current={shown || undefined}
      >
        {moment(i.triggered_at)}
      </Link>
      <span className={open ? parts.red : "t2"}>
        {lasted(i.triggered_at, i.cleared_at)}
        {open && `, ${how}`}
      </span>
      {!open && <small>{how}</small>}
      <div className={classes.peak}>
        {i.peak !== null && (
          <>
            peak <b>{value(i.peak, unit)}</b>
            {first && " · "}
          </>
        )}
        {first && (
          <span className="mono">{`${first}${i.violations.length > 1 ? ` + ${whole(i.violations.length - 1)}` : ""}`}</span>
        )}
      </div>
    </li>
  );
}
