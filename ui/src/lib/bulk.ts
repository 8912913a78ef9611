import type { AlertSummary, BulkAnswer, BulkBody } from "../api/ui.gen";
import { count, whole } from "./format";

/** What is known of an alert before several are changed. */
export type Target = Pick<
  AlertSummary,
  "id" | "state" | "acknowledged_at" | "snoozed_until" | "severity" | "labels" | "services"
>;
type Change = Omit<BulkBody, "ids">;

/** Whether a change would make a difference to an alert. */
export function applies(change: Change, a: Target): boolean {
  switch (change.action) {
    case "acknowledge":
      return a.state === "firing" && !a.acknowledged_at;
    case "reopen":
      return Boolean(a.acknowledged_at);
    case "activate":
      return a.state === "inactive";
    case "deactivate":
      return a.state !== "inactive";
    case "snooze":
      return a.state !== "inactive";
    case "resume":
    case "unsnooze":
      return a.state === "snoozed";
    case "severity":
      return a.severity !== (change.severity ?? "");
    case "add service":
      return !a.services.some((s) => s.id === change.service);
    case "labels":
      return Object.entries(change.labels ?? {}).some(([name, value]) => (a.labels[name] ?? "") !== value);
  }
}

const opposite = {
  acknowledge: "reopen",
  reopen: "acknowledge",
  activate: "deactivate",
  deactivate: "activate",
} as const;

const snoozedAgain = (a: Target): Change =>
  a.snoozed_until ? { action: "snooze", until: a.snoozed_until } : { action: "snooze" };

/** What brings one alert back to how it was; nothing where no change of several does. */
function inverse(change: Change, a: Target, made: number[]): Change | undefined {
  switch (change.action) {
    case "acknowledge":
    case "reopen":
    case "activate":
    case "deactivate":
      return { action: opposite[change.action] };
    case "snooze":
      // Snoozes that somebody planned stay.
      if (a.state !== "snoozed") return { action: "unsnooze", snoozes: made };
      return snoozedAgain(a);
    case "resume":
    case "unsnooze":
      return snoozedAgain(a);
    case "severity":
      return { action: "severity", severity: a.severity };
    case "labels": {
      const names = Object.keys(change.labels ?? {});
      return { action: "labels", labels: Object.fromEntries(names.map((n) => [n, a.labels[n] ?? ""])) };
    }
    case "add service":
      return undefined;
  }
}

/** The changes that take one back, for those that were changed, with the snoozes that it made: alerts that were alike share one. */
export function undoing(change: Change, before: Target[], made: number[] = []): BulkBody[] {
  const bodies = new Map<string, BulkBody>();
  for (const a of before) {
    const back = inverse(change, a, made);
    if (!back) continue;
    const key = JSON.stringify(back);
    bodies.set(key, { ...back, ids: [...(bodies.get(key)?.ids ?? []), a.id] });
  }
  return [...bodies.values()];
}

/** "3 alerts snoozed until 15:26.", or how many of them were changed and why others were not. */
export function outcome(answer: BulkAnswer, done: (alerts: string) => string): string {
  const { changed, failed } = answer;
  if (failed.length === 0) return done(count(changed.length, "alert"));
  const reasons = [...new Set(failed.map((f) => f.reason))];
  const why = reasons.length > 2 ? [...reasons.slice(0, 2), "…"] : reasons;
  const stay = failed.length === 1 ? "1 stays as it was" : `${whole(failed.length)} stay as they were`;
  return `${whole(changed.length)} of ${whole(changed.length + failed.length)} changed. ${stay}: ${why.join("; ")}.`;
}
