import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { metrics } from "../../api/metrics";
import type { AlertSummary } from "../../api/types";
import { EmptyState } from "../../components/EmptyState";
import { shortMoment } from "../../lib/alertWords";
import { count, value } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";

/** No alerts at all: the busiest metrics are where to begin. */
export function NoAlerts() {
  const { canEdit } = useSession();
  const { data } = useQuery({ ...metrics.search("", 0, 5, "streams"), enabled: canEdit });
  if (!canEdit) return <EmptyState title="No alerts yet." />;
  if (data?.metrics.length === 0)
    return (
      <EmptyState title="No alerts yet." actions={<Link to="/send">Send data</Link>}>
        They start from a metric, and none has arrived.
      </EmptyState>
    );
  return (
    <EmptyState title="No alerts yet. Start from a metric you already watch.">
      <ul className={classes.busiest}>
        {data?.metrics.map((m) => (
          <li key={m.name}>
            <Link to="/alerts/new" search={{ metric: m.name }} data-row>
              <span className="mono cut">{m.name}</span>
              <span className="t3">{count(m.streams, "stream")}</span>
              <span className="num">{m.last_value === null ? "" : value(m.last_value, m.units)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </EmptyState>
  );
}

const words: Record<string, string> = {
  ok: "No alert is OK.",
  snoozed: "No alert is snoozed.",
  inactive: "No alert is Inactive.",
};

/** "Nothing is firing." and since when. */
export function NoneInState({ state, all }: { state: string; all: AlertSummary[] }) {
  if (state !== "firing") return <EmptyState title={words[state] ?? "No alert is in this state."} />;
  const last = Math.max(0, ...all.map((a) => Math.max(a.last_fired_at, ...a.strip.map(([, end]) => end))));
  return (
    <EmptyState title="Nothing is firing.">
      {last > 0 ? `All quiet since ${shortMoment(last)}.` : "Nothing has fired yet."}
    </EmptyState>
  );
}
