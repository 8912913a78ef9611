import type { Preview } from "../api/alerts";
import type { Condition } from "../api/types";
import { duration, value } from "./format";

const rangeWords: Record<number, string> = { 86400: "24 hours", 604800: "7 days", 2592000: "30 days" };

/** What the past says about a draft: one sentence, the number apart so that it can stand out. */
export function verdict(
  p: Preview,
  seconds: number,
  unit: string,
): { before: string; times: string; after: string; detail: string } {
  const range = rangeWords[seconds] ?? duration(seconds);
  if (p.always)
    return { before: "Would be firing ", times: "all the time", after: `: 100 % of the last ${range}.`, detail: "" };
  if (p.fired === 0) {
    const extreme = p.highest !== null ? ` The highest value was ${value(p.highest, unit)}.` : "";
    return { before: `Would not have fired in the last ${range}.`, times: "", after: "", detail: extreme.trim() };
  }
  const times = p.fired === 1 ? "once" : `${p.fired} times`;
  const total = `${duration(p.total_seconds)} in total${p.fired > 1 ? `, longest ${duration(p.longest_seconds)}` : ""}.`;
  return {
    before: "Would have fired ",
    times,
    after: ` in the last ${range}`,
    detail: `${total} Replayed over stored data, as the alert itself would judge it.`,
  };
}

/** A hint when an alert would be heard too often. */
export function tooOften(p: Preview, c: Condition | undefined, unit: string): string | undefined {
  if (p.fired < 25 || !c || c.threshold == null) return undefined;
  const better = p.thresholds.find((t) => t.fired > 0 && t.fired < p.fired / 3);
  return better ? `Consider ${value(better.value, unit)} or a longer time.` : "Consider a longer time.";
}

/** Steps of a nice size near a value: 1, 2 or 5 times a power of ten. */
export function niceStep(v: number): number {
  const size = 10 ** Math.floor(Math.log10(Math.max(1e-9, Math.abs(v) / 50)));
  const lead = Math.abs(v) / 50 / size;
  return (lead >= 5 ? 5 : lead >= 2 ? 2 : 1) * size;
}

export const snap = (v: number, fine = false): number => {
  const step = niceStep(v) / (fine ? 10 : 1);
  return Number((Math.round(v / step) * step).toPrecision(12));
};
