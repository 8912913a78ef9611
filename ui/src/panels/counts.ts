import type { Result } from "../api/query";
import type { Cell } from "../chart/data";
import { value } from "../lib/format";
import type { Window } from "../time/range";

export type Range = { low: number; high: number };
/** How many values are in a range, step by step. */
export type Counted = Range & { counts: Cell[] };

/** Whether one range lies in another. */
const within = (a: Range, b: Range) => a.low >= b.low && a.high <= b.high;

export const columnsOf = (w: Window) => Math.max(1, Math.round((w.end - w.start) / w.step));

/** The counts of ranges over time, the highest range first; those of narrow ranges go into the wide ones that hold them. */
export function countsOf(results: Result[], w: Window): Counted[] {
  const series = results.flatMap((r) => r.series).filter((s) => s.low !== undefined && s.high !== undefined);
  const columns = columnsOf(w);
  const rows: Counted[] = [];
  const widest = series
    .map((s) => ({ low: s.low ?? 0, high: s.high ?? 0 }))
    .sort((a, b) => b.high - b.low - (a.high - a.low));
  for (const r of widest)
    if (!rows.some((have) => within(r, have))) rows.push({ ...r, counts: new Array<Cell>(columns).fill(undefined) });
  for (const s of series) {
    const row = rows.find((r) => within({ low: s.low ?? 0, high: s.high ?? 0 }, r));
    for (let i = 0; row && i < s.times.length; i++) {
      const col = Math.round(((s.times[i] ?? 0) - w.start) / w.step);
      if (col >= 0 && col < columns) row.counts[col] = (row.counts[col] ?? 0) + (s.values[i] ?? 0);
    }
  }
  return rows.filter((r) => r.counts.some((c) => c)).sort((a, b) => b.low - a.low);
}

/** A value among those of a distribution, which reach over powers: a thousand milliseconds are a second. */
export const amount = (v: number | null | undefined, unit: string) =>
  unit === "ms" && v != null && Math.abs(v) >= 999.5 ? value(v / 1000, "s") : value(v, unit);

export const rangeName = ({ low, high }: Range, unit: string) =>
  low === high ? amount(low, unit) : `${amount(low, unit)} to ${amount(high, unit)}`;

/** The counts of ranges as lines, for tables and files; the lowest first. */
export const countLines = (results: Result[], w: Window, unit: string) =>
  countsOf(results, w)
    .map((r) => ({ key: `${r.low}`, label: rangeName(r, unit), mono: false, unit: "", values: r.counts }))
    .reverse();
