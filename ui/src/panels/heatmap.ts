import type { Cell, Line } from "../chart/data";
import { stats } from "../chart/data";
import { tagsOf } from "../chart/streams";
import { value } from "../lib/format";

export type HeatRow = { label: string; cells: Cell[] };
/** Rows from the top; what a colour stands for is between low and high. */
export type Heat = { rows: HeatRow[]; low: number; high: number; unit: string; total: number; counts: boolean };

/** More rows than that are thinner than what can be pointed at. */
const mostRows = 200;
const buckets = 20;

const reach = (rows: HeatRow[]): [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { cells } of rows)
    for (const v of cells)
      if (v != null) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  return low <= high ? [low, high] : [0, 0];
};

/** A row for each stream, those with the highest average on top. */
export function streamRows(lines: Line[]): Heat {
  const sorted = lines
    .map((l) => ({ l, mean: stats(l.values).mean ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => b.mean - a.mean || a.l.label.localeCompare(b.l.label, undefined, { numeric: true }));
  const { differing } = tagsOf(lines);
  const name = (l: Line) => differing.flatMap((tag) => l.tags[tag] ?? []).join(", ") || l.label;
  const rows = sorted.slice(0, mostRows).map(({ l }) => ({ label: name(l), cells: l.values }));
  const [low, high] = reach(rows);
  return { rows, low, high, unit: lines[0]?.unit ?? "", total: lines.length, counts: false };
}

/** A row for each range of values, with how many streams are in it, the highest on top. */
export function valueRows(lines: Line[], ends: { min?: number | null; max?: number | null; log?: boolean }): Heat {
  const [lowest, highest] = reach(lines.map((l) => ({ label: "", cells: l.values })));
  const log = ends.log === true && (ends.min ?? lowest) > 0;
  const bend = log ? Math.log : (v: number) => v;
  const back = log ? Math.exp : (v: number) => v;
  const [lo, hi] = [bend(ends.min ?? lowest), bend(ends.max ?? highest)];
  const unit = lines[0]?.unit ?? "";
  const width = (hi - lo) / buckets || 1;
  const n = Math.max(0, ...lines.map((l) => l.values.length));
  const counts = Array.from({ length: buckets }, () => new Array<Cell>(n).fill(undefined));
  for (const l of lines)
    for (const [i, v] of l.values.entries()) {
      if (v == null || (log && v <= 0)) continue;
      const at = Math.floor((bend(v) - lo) / width);
      const row = counts[at === buckets ? buckets - 1 : at];
      if (row) row[i] = (row[i] ?? 0) + 1;
    }
  const rows = counts
    .map((cells, b) => ({
      label: `${value(back(lo + b * width), unit)} to ${value(back(lo + (b + 1) * width), unit)}`,
      cells,
    }))
    .reverse();
  return { rows, low: 0, high: reach(rows)[1], unit: "", total: lines.length, counts: true };
}

/** How strong the colour of a cell is, from 0 to 1; the weakest is still to be seen. */
export function strength(v: number, { low, high }: Pick<Heat, "low" | "high">): number {
  const s = high > low ? (v - low) / (high - low) : 1;
  return 0.08 + 0.92 * Math.min(1, Math.max(0, s));
}
