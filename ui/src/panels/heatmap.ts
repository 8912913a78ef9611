import type { Result } from "../api/query";
import type { Cell, Line } from "../chart/data";
import { stats } from "../chart/data";
import { tagsOf } from "../chart/streams";
import { count, value, whole } from "../lib/format";
import type { Window } from "../time/range";

/** A row, and where it is between the top, 0, and the bottom, 1. */
export type HeatRow = { label: string; cells: Cell[]; from: number; to: number };
/** Rows from the top; what a colour stands for is between low and high. */
export type Heat = {
  rows: HeatRow[];
  low: number;
  high: number;
  /** How many streams have no row. */
  left: number;
  /** What the values of cells are, beside low and high. */
  shown: (v: number) => string;
  /** What a cell says. */
  say: (row: number, col: number) => string;
  /** What is in all of it, for those who do not see it. */
  about: string;
  /** What stands beside it, from the top to the bottom. */
  ends: string[];
  /** How much is in each row over all of the time: its name, how many, and their share. */
  sums?: [string, string, string][];
};

/** More rows than that are thinner than what can be pointed at. */
const mostRows = 200;
const buckets = 20;

const reach = (rows: Pick<HeatRow, "cells">[]): [number, number] => {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { cells } of rows)
    for (const v of cells)
      if (v != null) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  return low <= high ? [low, high] : [0, 0];
};

/** Rows that are all as high. */
const even = (rows: Pick<HeatRow, "label" | "cells">[]): HeatRow[] =>
  rows.map((r, i) => ({ ...r, from: i / rows.length, to: (i + 1) / rows.length }));

const endsOf = (rows: HeatRow[]) => [...new Set([rows[0]?.label ?? "", rows.at(-1)?.label ?? ""])];

/** A row for each stream, those with the highest average on top. */
export function streamRows(lines: Line[]): Heat {
  const sorted = lines
    .map((l) => ({ l, mean: stats(l.values).mean ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => b.mean - a.mean || a.l.label.localeCompare(b.l.label, undefined, { numeric: true }));
  const { differing } = tagsOf(lines);
  const name = (l: Line) => differing.flatMap((tag) => l.tags[tag] ?? []).join(", ") || l.label;
  const rows = even(sorted.slice(0, mostRows).map(({ l }) => ({ label: name(l), cells: l.values })));
  const [low, high] = reach(rows);
  const unit = lines[0]?.unit ?? "";
  const shown = (v: number) => value(v, unit);
  return {
    rows,
    low,
    high,
    left: lines.length - rows.length,
    shown,
    say: (row, col) => said(rows[row]?.cells[col], shown),
    about: `${count(lines.length, "stream")}, from ${shown(low)} to ${shown(high)}`,
    ends: endsOf(rows),
  };
}

const said = (v: Cell, shown: (v: number) => string) => (v == null ? "nothing" : shown(v));

/** A row for each range of values, with how many streams are in it, the highest on top. */
export function valueRows(lines: Line[], ends: { min?: number | null; max?: number | null; log?: boolean }): Heat {
  const [lowest, highest] = reach(lines.map((l) => ({ cells: l.values })));
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
  const rows = even(
    counts
      .map((cells, b) => ({
        label: `${value(back(lo + b * width), unit)} to ${value(back(lo + (b + 1) * width), unit)}`,
        cells,
      }))
      .reverse(),
  );
  const high = reach(rows)[1];
  return {
    rows,
    low: 0,
    high,
    left: 0,
    shown: whole,
    say: (row, col) => said(rows[row]?.cells[col], (v) => count(v, "stream")),
    about: `${count(lines.length, "stream")}, most in one cell ${whole(high)}`,
    ends: endsOf(rows),
  };
}

type Range = { low: number; high: number };
type Counted = Range & { counts: Cell[] };

/** Values that are spread further than this are shown by powers. */
const wide = 10;
/** How many parts of the axis have a number at their ends. */
const parts = 4;
/** What has no width is still to be seen. */
const thinnest = 1 / 200;

/** Whether one range lies in another. */
const within = (a: Range, b: Range) => a.low >= b.low && a.high <= b.high;

/** The counts of ranges over time, the highest range first; those of narrow ranges go into the wide ones that hold them. */
export function countsOf(results: Result[], w: Window): Counted[] {
  const series = results.flatMap((r) => r.series).filter((s) => s.low !== undefined && s.high !== undefined);
  const columns = Math.max(1, Math.round((w.end - w.start) / w.step));
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

/** Room is what zero has of it for itself. */
type Axis = { at: (v: number) => number; back: (at: number) => number; room: number };

/** How a value axis is bent, as fits what is on it: from 0 at the bottom to 1 at the top, and back. */
function axisOf(rows: Range[]): Axis {
  const positive = rows.filter((r) => r.low > 0);
  const [lowest, highest] = [rows.at(-1)?.low ?? 0, rows[0]?.high ?? 1];
  const least = positive.at(-1)?.low ?? 0;
  const log = lowest >= 0 && least > 0 && highest / least > wide;
  if (!log)
    return {
      at: (v) => (v - lowest) / (highest - lowest || 1),
      back: (at) => lowest + at * (highest - lowest),
      room: 0,
    };
  // Zero has no logarithm: its row is at the bottom, as high as another.
  const room = lowest === 0 ? 1 / (rows.length || 1) : 0;
  const powers = Math.log(highest / least);
  return {
    at: (v) => (v <= 0 ? 0 : room + (1 - room) * (Math.log(v / least) / powers)),
    back: (at) => (at < room ? 0 : least * Math.exp(((at - room) / (1 - room)) * powers)),
    room,
  };
}

const nameOf = ({ low, high }: Range, unit: string) =>
  low === high ? value(low, unit) : `${value(low, unit)} to ${value(high, unit)}`;

/** The counts of ranges as lines, for tables and files; the lowest first. */
export const countLines = (results: Result[], w: Window, unit: string) =>
  countsOf(results, w)
    .map((r) => ({ key: `${r.low}`, label: nameOf(r, unit), mono: false, unit: "", values: r.counts }))
    .reverse();

/** A row for each range of values, with the share of the values of a step that are in it. */
export function distributionRows(results: Result[], w: Window, unit: string): Heat {
  const counted = countsOf(results, w);
  const columns = counted[0]?.counts.length ?? 0;
  const totals = Array.from({ length: columns }, (_, c) => counted.reduce((sum, r) => sum + (r.counts[c] ?? 0), 0));
  const axis = axisOf(counted);
  const rows = counted.map((r): HeatRow => {
    const top = 1 - axis.at(r.high) - (r.high === 0 ? axis.room : 0);
    return {
      label: nameOf(r, unit),
      cells: r.counts.map((n, c) => (n ? n / (totals[c] ?? n) : undefined)),
      from: Math.max(0, Math.min(top, 1 - thinnest)),
      to: Math.min(1, Math.max(1 - axis.at(r.low), top + thinnest)),
    };
  });
  const all = totals.reduce((a, b) => a + b, 0);
  const shown = (v: number) => value(100 * v, "%");
  return {
    rows,
    low: 0,
    high: reach(rows)[1],
    left: 0,
    shown,
    say: (row, col) => {
      const n = counted[row]?.counts[col];
      return n ? `${count(n, "value")}, ${shown(n / (totals[col] ?? n))} of this step` : "nothing";
    },
    about: `${count(all, "value")} from ${value(counted.at(-1)?.low ?? 0, unit)} to ${value(counted[0]?.high ?? 0, unit)}`,
    ends: Array.from({ length: parts + 1 }, (_, i) => value(axis.back(1 - i / parts), unit)),
    sums: counted.map((r) => {
      const n = r.counts.reduce<number>((sum, c) => sum + (c ?? 0), 0);
      return [nameOf(r, unit), whole(n), shown(n / all)];
    }),
  };
}

/** The row that is at a part of the height: the nearest, where there is none. */
export function rowAt({ rows }: Pick<Heat, "rows">, y: number): number {
  const away = rows.map((r) => Math.max(r.from - y, y - r.to, 0));
  return Math.max(0, away.indexOf(Math.min(...away)));
}

/** How strong the colour of a cell is, from 0 to 1; the weakest is still to be seen. */
export function strength(v: number, { low, high }: Pick<Heat, "low" | "high">): number {
  const s = high > low ? (v - low) / (high - low) : 1;
  return 0.08 + 0.92 * Math.min(1, Math.max(0, s));
}
