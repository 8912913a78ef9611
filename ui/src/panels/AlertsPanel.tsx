import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { alertList } from "../api/alerts";
import { Severity } from "../components/Severity";
import { looksOf, StateIcon } from "../components/StateIcon";
import { stateWords } from "../lib/alertWords";
import { count, whole } from "../lib/format";
import { chosenAlerts } from "./alerts";
import { EmptyPanel } from "./EmptyPanel";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";

const most = 20;

/** Alerts beside the charts they are about: those that fire, or all that fit a search. */
export function AlertsPanel({ chart, shared }: PanelProps) {
  const { show = "firing", find, top } = chart.attributes ?? {};
  const { data, error } = useQuery({ ...alertList(show === "all" ? "" : "firing"), enabled: !shared });
  if (shared) return <EmptyPanel>Alerts are not shown through a share link.</EmptyPanel>;
  if (error && !data) return <EmptyPanel>{`Could not load: ${error.message}`}</EmptyPanel>;
  if (!data) return null;
  const all = chosenAlerts(data.alerts, find ?? "");
  const shown = all.slice(0, top ?? most);
  if (all.length === 0)
    return (
      <EmptyPanel>
        {find && data.alerts.length > 0
          ? nothingFits(find, show)
          : show === "all"
            ? "There are no alerts."
            : "Nothing is firing."}
      </EmptyPanel>
    );
  return (
    <div className={classes.scroll} tabIndex={-1}>
      <ul className={classes.list} aria-label={chart.name || "Alerts"}>
        {shown.map((a) => (
          <li key={a.id}>
            <StateIcon state={looksOf(a)} size={16} />
            <div className={classes.what}>
              <Link to="/alerts/$id" params={{ id: String(a.id) }} className={`${classes.name} cut`}>
                {a.name}
              </Link>
              <span className="t3">{stateWords(a)}</span>
            </div>
            <Severity severity={a.severity} firing={a.state === "firing"} />
          </li>
        ))}
      </ul>
      {all.length > shown.length && (
        <p className={classes.foot}>{`${whole(shown.length)} of ${count(all.length, "alert")}`}</p>
      )}
    </div>
  );
}

const nothingFits = (find: string, show: string | null) =>
  show === "all" ? `No alert has ${find} in its name or labels.` : `Nothing with ${find} is firing.`;
