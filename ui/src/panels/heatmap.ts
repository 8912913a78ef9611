import type { Threshold } from "../api/types";
import { crossed, thresholdWords } from "../chart/bigValue";
import type { Cell, Line } from "../chart/data";
import { stats } from "../chart/data";
import { tagsOf } from "../chart/streams";
import { extremes } from "../lib/extremes";
import { count, value, whole } from "../lib/format";
import type { Spread } from "./distribution";
import { type Ends, type ValueAxis, valueAxis } from "./valueAxis";

/** A row, and where it is between the top, 0, and the bottom, 1. */
export type HeatRow = {
  label: string;
  cells: Cell[];
  from: number;
  to: number;
  /** Those of its stream, where it is one. */
  tags?: Record<string, string>;
};
/** Rows from the top; what a colour stands for is between low and high. */
export type Heat = {
  rows: HeatRow[];
  low: number;
  high: number;
  /** How many streams have no row. */
  left: number;
  /** What the values of cells are, beside low and high. */
  shown: (v: number) => string;
  /** What a cell says, with the name of its row. */
  say: (row: number, col: number) => string;
  /** What is in all of it, for those who do not see it. */
  about: string;
  /** What stands beside it, from the top to the bottom. */
  ends: string[];
  /** Weak cells have stronger colours than they would have by their share. */
  soft?: boolean;
  /** That of the values, where rows are ranges of them. */
  axis?: ValueAxis;
  /** What else there is to see and to say where rows are ranges of a distribution. */
  spread?: Spread;
};

/** More rows than that are thinner than what can be pointed at. */
const mostRows = 200;
const buckets = 20;

/** The least and the most of all cells. */
export const reach = (rows: Pick<HeatRow, "cells">[]): [number, number] => extremes(rows.map((r) => r.cells)) ?? [0, 0];

/** Rows that are all as high. */
const even = (rows: Pick<HeatRow, "label" | "cells" | "tags">[]): HeatRow[] =>
  rows.map((r, i) => ({ ...r, from: i / rows.length, to: (i + 1) / rows.length }));

const endsOf = (rows: HeatRow[]) => [...new Set([rows[0]?.label ?? "", rows.at(-1)?.label ?? ""])];

/** A row for each stream, those with the highest average on top. */
export function streamRows(lines: Line[], thresholds: Threshold[] = []): Heat {
  const sorted = lines
    .map((l) => ({ l, mean: stats(l.values).mean ?? Number.NEGATIVE_INFINITY }))
    .sort((a, b) => b.mean - a.mean || a.l.label.localeCompare(b.l.label, undefined, { numeric: true }));
  const { differing } = tagsOf(lines);
  const name = (l: Line) => differing.flatMap((tag) => l.tags[tag] ?? []).join(", ") || l.label;
  const rows = even(sorted.slice(0, mostRows).map(({ l }) => ({ label: name(l), cells: l.values, tags: l.tags })));
  const [low, high] = reach(rows);
  const unit = lines[0]?.unit ?? "";
  const shown = (v: number) => value(v, unit);
  const told = (v: number) => {
    const hit = crossed(v, thresholds);
    return hit ? `${shown(v)}, ${thresholdWords(hit, unit)}` : shown(v);
  };
  return {
    rows,
    low,
    high,
    left: lines.length - rows.length,
    shown,
    say: (row, col) => said(rows[row], col, told),
    about: `${count(lines.length, "stream")}, from ${shown(low)} to ${shown(high)}`,
    ends: endsOf(rows),
  };
}

function said(row: HeatRow | undefined, col: number, shown: (v: number) => string): string {
  const v = row?.cells[col];
  return `${row?.label ?? ""}, ${v == null ? "nothing" : shown(v)}`;
}

/** A row for each range of values, with how many streams are in it, the highest on top. */
export function valueRows(lines: Line[], ends: Ends): Heat {
  const [lowest, highest] = reach(lines.map((l) => ({ cells: l.values })));
  const axis = valueAxis([{ low: lowest, high: highest }], { ...ends, log: ends.log === true });
  const { log } = axis;
  const bend = log ? Math.log : (v: number) => v;
  const back = log ? Math.exp : (v: number) => v;
  const [lo, hi] = [bend(axis.low), bend(axis.high)];
  const unit = lines[0]?.unit ?? "";
  const width = (hi - lo) / buckets || 1;
  const n = lines.reduce((most, l) => Math.max(most, l.values.length), 0);
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
    say: (row, col) => said(rows[row], col, (v) => count(v, "stream")),
    about: `${count(lines.length, "stream")}, most in one cell ${whole(high)}`,
    ends: endsOf(rows),
    axis,
  };
}

/** The row that is at a part of the height: the nearest, where there is none. */
export function rowAt({ rows }: Pick<Heat, "rows">, y: number): number {
  const away = rows.map((r) => Math.max(r.from - y, y - r.to, 0));
  return Math.max(0, away.indexOf(Math.min(...away)));
}

/** How strong the colour of a cell is, from 0 to 1; the weakest is still to be seen. */
export function strength(v: number, { low, high, soft }: Pick<Heat, "low" | "high" | "soft">): number {
  const part = high > low ? Math.min(1, Math.max(0, (v - low) / (high - low))) : 1;
  return 0.08 + 0.92 * (soft ? Math.sqrt(part) : part);
}
