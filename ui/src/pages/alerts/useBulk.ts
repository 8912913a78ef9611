import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { alerts } from "../../api/alerts";
import type { AlertSummary, BulkBody } from "../../api/ui.gen";
import { applies, outcome, undoing } from "../../lib/bulk";
import { toast } from "../../toasts/toast";

type Change = Omit<BulkBody, "ids">;

/** Changes those of the selected alerts that it makes a difference to, says what became of it, and offers the way back. */
export function useBulk(selected: AlertSummary[]) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const refresh = () => client.invalidateQueries({ queryKey: ["alerts"] });
  const failed = (err: unknown) => toast(err instanceof Error ? err.message : String(err), { tone: "error" });
  const undo = async (change: Change, changed: AlertSummary[], made: number[] | undefined) => {
    const back =
      change.action === "add service"
        ? changed.map(({ id }) => alerts.detach({ id, service: change.service ?? 0 }))
        : undoing(change, changed, made).map(alerts.bulk);
    await Promise.all(back).catch(failed);
    await refresh();
  };
  const run = async (change: Change, done: (alerts: string) => string) => {
    const targets = selected.filter((a) => applies(change, a));
    if (targets.length === 0) return toast("The selected alerts are like this already.");
    setPending(true);
    try {
      const answer = await alerts.bulk({ ...change, ids: targets.map((a) => a.id) });
      const changed = targets.filter((a) => answer.changed.includes(a.id));
      const tone = answer.failed.length ? { tone: "error" as const } : {};
      toast(outcome(answer, done), {
        ...tone,
        ...(changed.length > 0 && { undo: () => void undo(change, changed, answer.snoozes) }),
      });
      await refresh();
    } catch (err) {
      failed(err);
    } finally {
      setPending(false);
    }
  };
  return { run: (change: Change, done: (alerts: string) => string) => void run(change, done), pending };
}
