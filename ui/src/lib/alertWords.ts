import type { AlertIncident, Delivery } from "../api/alerts";
import { duration } from "./format";

/** How long something went on, or has so far. */
export const lasted = (from: number, to: number | null, now = Date.now() / 1000): string =>
  duration(Math.max(60, Math.round(((to ?? now) - from) / 60) * 60));

/** Who did something, as people say it: the log writes user:a@example.org and token:name. */
export function person(by: string): string {
  if (by.startsWith("user:")) return by.slice(5);
  return by.startsWith("token:") ? `the token ${by.slice(6)}` : by === "cli" ? "the operator" : by;
}

/** How an incident ended, in a few words; nothing for the usual way. */
export function ending(i: Pick<AlertIncident, "cleared_at" | "clear" | "cleared_by">): string {
  if (i.cleared_at === null) return "still firing";
  if (i.clear === "manual") return i.cleared_by ? `resolved by ${person(i.cleared_by)}` : "resolved by hand";
  if (i.clear === "auto") return "cleared after 10 days without data";
  return "";
}

const kinds: Record<string, string> = { trigger: "Fired", reminder: "Still firing", clear: "Cleared", test: "Test" };

export const deliveryKind = (kind: string): string => kinds[kind] ?? kind;

/** How a delivery stands: the word, its tone, and the last answer in the service's own words. */
export function deliveryState(d: Delivery, maxTries?: number, now = Date.now() / 1000) {
  const last = d.attempts?.at(-1);
  const answer = last ? `${last.answer} in ${last.duration_ms} ms` : "";
  if (d.status === "delivered") return { word: "Delivered", tone: "grn" as const, answer };
  if (d.status === "cancelled") return { word: "Cancelled", tone: "amb" as const, answer: "the incident ended before" };
  if (d.status === "waiting") {
    if (d.tries === 0) return { word: "Waiting", tone: "amb" as const, answer: "" };
    const next = Math.max(0, Math.round(d.due_at - now));
    return {
      word: "Retrying",
      tone: "amb" as const,
      answer: `${last?.answer ?? ""}, try ${d.tries}${maxTries ? ` of ${maxTries}` : ""}, next in ${duration(next)}`,
    };
  }
  return { word: "Not delivered", tone: "red" as const, answer };
}

/** The part of a day that an alert fired, in percent, never so small that it cannot be seen. */
export function stripMarks(strip: [number, number][], start: number, end: number): { left: number; width: number }[] {
  const span = end - start;
  return strip
    .filter(([a, b]) => b > start && a < end)
    .map(([a, b]) => {
      const left = ((Math.max(a, start) - start) / span) * 100;
      const width = Math.max(0.8, ((Math.min(b, end) - Math.max(a, start)) / span) * 100);
      return { left: Math.min(left, 100 - width), width };
    });
}

/** "fired twice in 24 hours, 12 minutes": the strip, for those who do not see it. */
export function stripSentence(strip: [number, number][]): string {
  if (strip.length === 0) return "did not fire in 24 hours";
  const total = strip.reduce((n, [a, b]) => n + (b - a), 0);
  const times = strip.length === 1 ? "once" : strip.length === 2 ? "twice" : `${strip.length} times`;
  return `fired ${times} in 24 hours, ${duration(Math.max(60, total))}`;
}
