import type { ChartDraft, Threshold } from "../api/types";
import { chosen, signed } from "../lib/format";
import { type Cell, lastValue, stats } from "./data";

/** The one number of a chart: the last whole value, or a summary of the range. */
export function bigValue(
  values: Cell[],
  chart: Pick<ChartDraft, "use_last_value">,
  fn: string | undefined,
  incomplete: boolean,
): number | null {
  const whole = incomplete ? values.slice(0, -1) : values;
  if (chart.use_last_value !== false) return lastValue(whole);
  const s = stats(whole);
  return { sum: s.sum, count: s.sum, min: s.min, max: s.max, last: s.last }[fn ?? ""] ?? s.mean;
}

const words = { ">": "above", "<": "below", "=": "at" };

/** The threshold that a value has crossed; red counts before yellow, the strictest of a colour first. */
export function crossed(v: number | null, thresholds: Threshold[] | null | undefined): Threshold | undefined {
  if (v === null) return undefined;
  const hit = (thresholds ?? []).filter((t) =>
    t.operator === ">" ? v > t.value : t.operator === "<" ? v < t.value : v === t.value,
  );
  return hit.find((t) => t.type === "red") ?? hit[0];
}

export const thresholdWords = (t: Threshold, unit: string) => `${words[t.operator]} ${chosen(t.value, unit)}`;

/** "+4 % on last week", or a plain difference for what is a percentage already. */
export function comparison(
  now: number | null,
  then: number | null,
  unit: string,
  than = "last week",
): string | undefined {
  if (now === null || then === null) return undefined;
  if (unit === "%") {
    const by = Number((now - then).toFixed(1));
    return by === 0 ? `as ${than}` : `${signed(by)} on ${than}`;
  }
  if (then === 0) return undefined;
  const by = Math.round(((now - then) / Math.abs(then)) * 100);
  return by === 0 ? `as ${than}` : `${signed(by, "%")} on ${than}`;
}

/** The same against what was chosen, which may have no data. */
export const comparedWith = (
  than: string,
  now: number | null,
  then: number | null,
  unit: string,
): string | undefined => (now !== null && then === null ? `no data ${than}` : comparison(now, then, unit, than));
