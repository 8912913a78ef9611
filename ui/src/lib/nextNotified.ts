import type { AlertDetail } from "../api/ui.gen";
import { person, shortMoment } from "./alertWords";
import { titles } from "./timeline";

/** Who knows of an incident and who is next: a sentence, and what is counted down to. */
export type Next = { nobody: boolean; text: string; whom?: string; at?: number; from?: number };

type Alert = Pick<
  AlertDetail,
  "state" | "acknowledged_at" | "acknowledged_by" | "escalation" | "next" | "services" | "notified_at" | "since"
> & { maintenance?: { until: number; suspended?: boolean } };

const are = (n: number) => (n === 1 ? "is" : "are");

/** "lead@example.org is notified in": who is next, before how long it is until then. */
export function nextNotified(a: Alert, now = Date.now() / 1000): Next {
  if (a.acknowledged_at) {
    const stops = a.escalation.some((s) => !s.taken) ? " Escalation stopped." : "";
    const by = person(a.acknowledged_by ?? "");
    return { nobody: false, text: `Acknowledged by ${by}, ${shortMoment(a.acknowledged_at, now)}.${stops}` };
  }
  if (a.maintenance) {
    const { until, suspended } = a.maintenance;
    const what = suspended ? "It is not evaluated." : "Nobody is notified.";
    return { nobody: false, text: `Maintenance until ${shortMoment(until, now)}. ${what}` };
  }
  const step = a.next.find((n) => n.kind === "escalation") ?? a.next[0];
  if (step) {
    const verb = step.kind === "reminder" ? "reminded" : "notified";
    const whom = titles(step.services);
    const text = `${whom} ${are(step.services.length)} ${verb} in`;
    return { nobody: true, text, whom, at: step.at, from: began(a, step.at) };
  }
  if (a.services.length === 0 && a.escalation.length === 0) return { nobody: true, text: "Nobody is notified of it." };
  return { nobody: true, text: a.notified_at ? "Everyone was notified." : "" };
}

/** When the wait for the next notification began: with the last that was sent. */
function began(a: Alert, at: number): number {
  const before = [a.since, a.notified_at, ...a.escalation.filter((s) => s.taken).map((s) => s.at)];
  return Math.max(...before.filter((t) => t < at), 0);
}
