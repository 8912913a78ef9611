import type { Result } from "../api/query";
import type { Loaded } from "../api/series";
import type { ChartAttributes, ChartDraft } from "../api/types";
import { align, type Cell, currentValue, stats, usualStep } from "../chart/data";
import type { Paint } from "../chart/palette";
import { chosen, count, value, whole } from "../lib/format";
import type { Window } from "../time/range";
import { amount, type Counted, columnsOf, countsOf, rangeName } from "./counts";
import { type Heat, type HeatRow, reach } from "./heatmap";
import { type Ends, type ValueAxis, valueAxis } from "./valueAxis";

export type Percentile = { key: string; p: number; label: string; paint: Paint; values: Cell[] };

/** How a chart shows a distribution. */
export type Look = { cells: boolean; lines: boolean; byCount: boolean; soft: boolean; ends: Ends };

/** What a distribution has beside its cells. */
export type Spread = Pick<Look, "cells" | "lines" | "byCount"> & {
  axis: ValueAxis;
  unit: string;
  percentiles: Percentile[];
  /** How many values each step has, and how many of them are in each row. */
  totals: number[];
  counts: Cell[][];
  /** Of each range over all of the time: its name, how many values, and their share. */
  sums: string[][];
};

/** What a chart says of its distribution; of nothing but cells, if it says nothing. */
export function lookOf(attributes: ChartAttributes | undefined, ends: Ends = {}): Look {
  const { layers, color_by, color_scale } = attributes ?? {};
  return {
    cells: layers !== "percentiles",
    lines: layers === "percentiles" || layers === "both",
    byCount: color_by === "count",
    soft: color_scale === "sqrt",
    ends,
  };
}

/** What a chart says of the axis of its values. */
export const endsOf = ({ min, max, use_log_yaxis: log, thresholds }: Partial<ChartDraft>): Ends => ({
  min,
  max,
  log,
  limits: (thresholds ?? []).map((t) => t.value).filter(Number.isFinite),
});

/** Whether a distribution is on a logarithmic axis where nobody says so. */
export const isLogarithmic = (chart: Pick<ChartDraft, "min" | "max" | "thresholds">, { results, window: w }: Loaded) =>
  valueAxis(countsOf(results, w), { ...endsOf(chart), log: undefined }).log;

/** Lines lie over cells, which are blue: they have the other colours, those first that differ most from it and each other. */
const colours = [2, 1, 5, 3, 4, 7, 6];

export const percentilePaint = (i: number): Paint => ({ slot: colours[i % colours.length] ?? 0 });
export const percentileName = (p: number) => `p${chosen(p)}`;

/** The percentiles that came, in the order of the chart. Of several metrics each has its own. */
export function percentilesOf(results: Result[], w: Window): Percentile[] {
  const all = results.flatMap(({ id, series }) =>
    series.flatMap((s) => (s.percentile === undefined ? [] : [{ of: `${id} ${s.metric ?? ""}`, p: s.percentile, s }])),
  );
  const several = new Set(all.map((x) => x.of)).size > 1;
  return all.map(({ of, p, s }, i) => ({
    key: `${of} ${p}`,
    p,
    label: several ? `${s.metric} ${percentileName(p)}` : percentileName(p),
    paint: percentilePaint(i),
    values: align(s, w, true, usualStep(s.times)),
  }));
}

/** What has no width is still to be seen. */
const thinnest = 1 / 200;

/** Where a range is between the top, 0, and the bottom, 1. */
function placed(r: Counted, axis: ValueAxis): Pick<HeatRow, "from" | "to"> {
  const top = 1 - axis.at(r.high) - (r.high === 0 ? axis.room : 0);
  return {
    from: Math.max(0, Math.min(top, 1 - thinnest)),
    to: Math.min(1, Math.max(1 - axis.at(r.low), top + thinnest)),
  };
}

const isOn =
  ({ low, high }: ValueAxis) =>
  (r: Counted) =>
    r.low === r.high ? r.low >= low && r.low <= high : r.high > low && r.low < high;

const sumOf = (list: Cell[]) => list.reduce<number>((sum, n) => sum + (n ?? 0), 0);
const percent = (part: number) => value(100 * part, "%");

/** The fewest ranges side by side that hold more than half of all values. */
export function mostIn(rows: Counted[]): { low: number; high: number } | undefined {
  const sums = rows.map((r) => sumOf(r.counts));
  const half = sumOf(sums) / 2;
  let best: { from: number; to: number; n: number } | undefined;
  for (let from = 0, to = 0, n = 0; from < rows.length; n -= sums[from++] ?? 0) {
    while (to < rows.length && n <= half) n += sums[to++] ?? 0;
    const fewer = best ? best.to - best.from - (to - from) : 1;
    if (n > half && (fewer > 0 || (fewer === 0 && n > (best?.n ?? 0)))) best = { from, to, n };
  }
  const [top, bottom] = best ? [rows[best.from], rows[best.to - 1]] : [];
  return top && bottom && { low: bottom.low, high: top.high };
}

/** All of it in one sentence, for those who do not see it. */
function aboutOf(rows: Counted[], percentiles: Percentile[], unit: string, incomplete: boolean): string {
  const all = sumOf(rows.map((r) => sumOf(r.counts)));
  const most = mostIn(rows);
  const highest = [...percentiles].sort((a, b) => b.p - a.p)[0];
  const now = highest && currentValue(highest.values, incomplete);
  return [
    `${count(all, "value")} from ${amount(rows.at(-1)?.low ?? 0, unit)} to ${amount(rows[0]?.high ?? 0, unit)}`,
    ...(most ? [`most ${rangeName(most, unit)}`] : []),
    ...(highest && now != null ? [`${highest.label} now ${amount(now, unit)}`] : []),
  ].join(", ");
}

/** What each percentile is now, and how far it went. */
export const percentileSums = ({ percentiles, unit }: Spread, incomplete: boolean): string[][] =>
  percentiles.map(({ label, values }) => {
    const { min, max } = stats(values);
    return [label, ...[currentValue(values, incomplete), min, max].map((v) => amount(v, unit))];
  });

/** How many values each range has over all of the time, and their share. */
function rangeSums(rows: Counted[], unit: string): string[][] {
  const sums = rows.map((r) => sumOf(r.counts));
  return rows.map((r, i) => [rangeName(r, unit), whole(sums[i] ?? 0), percent((sums[i] ?? 0) / sumOf(sums))]);
}

/** How many values of a step are in a range, and their share: "1,018, 7.2 %". */
export function cellWords({ counts, totals }: Spread, row: number, col: number): string {
  const n = counts[row]?.[col];
  return n ? `${whole(n)}, ${percent(n / (totals[col] || n))}` : "nothing";
}

function say(spread: Spread, rows: HeatRow[], row: number, col: number): string {
  const n = spread.counts[row]?.[col];
  if (!spread.cells) {
    const told = spread.percentiles.map((p) => `${p.label} ${amount(p.values[col], spread.unit)}`);
    return [count(spread.totals[col] ?? 0, "value"), ...told].join(", ");
  }
  const share = n ? `${count(n, "value")}, ${percent(n / (spread.totals[col] || n))} of this step` : "nothing";
  return `${rows[row]?.label ?? ""}, ${share}`;
}

const usual = lookOf(undefined);

/** A row for each range of values, with the share of the values of a step that are in it, or how many these are. */
export function distributionRows(results: Result[], w: Window, unit: string, look = usual, incomplete = false): Heat {
  const counted = countsOf(results, w);
  const totals = Array.from({ length: columnsOf(w) }, (_, c) => sumOf(counted.map((r) => r.counts[c])));
  const axis = valueAxis(counted, look.ends);
  const shown = counted.filter(isOn(axis));
  const rows = shown.map((r): HeatRow => {
    const cells = r.counts.map((n, c) => (n && !look.byCount ? n / (totals[c] || n) : n || undefined));
    return { label: rangeName(r, unit), cells, ...placed(r, axis) };
  });
  const spread: Spread = {
    ...look,
    axis,
    unit,
    percentiles: percentilesOf(results, w),
    totals,
    counts: shown.map((r) => r.counts),
    sums: rangeSums(counted, unit),
  };
  return {
    rows,
    low: 0,
    high: reach(rows)[1],
    left: 0,
    shown: look.byCount ? whole : percent,
    say: (row, col) => say(spread, rows, row, col),
    about: aboutOf(counted, spread.percentiles, unit, incomplete),
    ends: [],
    soft: look.soft,
    axis,
    spread,
  };
}
