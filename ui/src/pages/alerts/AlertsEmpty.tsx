import { Link } from "@tanstack/react-router";
import type { AlertSummary } from "../../api/ui.gen";
import { Busiest, useBusiest } from "../../components/Busiest";
import { EmptyState } from "../../components/EmptyState";
import { shortMoment } from "../../lib/alertWords";
import { useSession } from "../../shell/useSession";

/** No alerts at all: the busiest metrics are where to begin. */
export function NoAlerts() {
  const { canEdit } = useSession();
  const busiest = useBusiest(canEdit);
  if (!canEdit) return <EmptyState title="No alerts yet." />;
  if (busiest?.length === 0)
    return (
      <EmptyState title="No alerts yet." actions={<Link to="/send">Send data</Link>}>
        They start from a metric, and none has arrived.
      </EmptyState>
    );
  return (
    <EmptyState title="No alerts yet. Start from a metric you already watch.">
      {busiest && <Busiest metrics={busiest} to="/alerts/new" />}
    </EmptyState>
  );
}

const words: Record<string, string> = {
  ok: "No alert is OK.",
  acknowledged: "Nobody has acknowledged one that fires.",
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
