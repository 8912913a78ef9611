import type uPlot from "uplot";
import type { Viewer } from "../lib/viewer";
import { axisRange, axisSplits, type Bounds, rightRange } from "./axis";
import type { Line } from "./data";
import { axisLabels, textWidth, timeLabels, withinEdge } from "./labels";
import { colorOf, fillOf, frame, type Scheme, withAlpha } from "./palette";

export type Kind = "line" | "stacked" | "bar";

/** Everything that makes a new plot necessary when it changes. */
export type Shape = {
  kind: Kind;
  scheme: Scheme;
  lines: Line[];
  left: Bounds;
  right: Bounds;
  viewer: Viewer;
  /** Charts of a page share their crosshair. */
  syncKey?: string | undefined;
  /** The big type of a wall display. */
  large?: boolean | undefined;
};

export const axisWidth = 40;
export const topRoom = 14;
/** Between the plot and the right edge of its box, where there is no second axis. */
const edge = 4;
const gap = 6;

/** A text that is equal for shapes that one plot can draw. */
export function shapeKey(s: Shape): string {
  const l = s.lines.map((x) => [x.key, x.label, x.axis, x.paint, x.dash, x.muted, x.unit, x.bandTo]);
  return JSON.stringify([s.kind, s.scheme, l, s.left, s.right, s.viewer, s.syncKey, s.large]);
}

function seriesOf(l: Line, s: Shape): uPlot.Series {
  const color = colorOf(l.paint, s.scheme);
  const stacked = s.kind === "stacked";
  return {
    label: l.label,
    scale: l.axis === 1 ? "y2" : "y",
    stroke: l.muted ? withAlpha(color, 0.35) : color,
    width: (l.muted || stacked ? 1 : 1.6) * (s.large ? 1.25 : 1),
    ...(l.dash && { dash: l.dash }),
    ...(stacked && { fill: fillOf(l.paint, s.scheme) }),
    // Bars are drawn under the place of lines, as a level.
    ...(s.kind === "bar" && { paths: () => null }),
    spanGaps: false,
    // Points only where a line can hardly be seen: one or two samples between gaps.
    points: {
      show: false,
      filter: (u, i, _show, gaps) => (gaps ? lonely(u.data[i] ?? []) : null),
      size: 6,
      width: 0,
      fill: color,
    },
  };
}

/** The tint between lines that belong together. */
function bandsOf(s: Shape): uPlot.Band[] {
  return s.lines.flatMap((l, i): uPlot.Band[] => {
    const to = s.lines.findIndex((o) => o.key === l.bandTo);
    return to < 0 ? [] : [{ series: [i + 1, to + 1], fill: withAlpha(colorOf(l.paint, s.scheme), 0.22) }];
  });
}

const aRow = 3;

/** The values that make no line to speak of: fewer than three in a row, between gaps. */
export function lonely(values: ArrayLike<number | null | undefined>): number[] | null {
  const out: number[] = [];
  let run: number[] = [];
  for (let i = 0; i <= values.length; i++) {
    const v = i < values.length ? values[i] : null;
    if (v === undefined) continue;
    if (v !== null) {
      if (run.length < aRow) run.push(i);
      continue;
    }
    if (run.length < aRow) out.push(...run);
    run = [];
  }
  return out.length ? out : null;
}

const manyLines = 100;

/** Bars are as wide as their time, the last one too. */
const wholeBars = ({ data: [xs] }: uPlot, min: number, max: number): [number, number] => [
  min,
  max + ((xs[1] ?? max) - (xs[0] ?? max)),
];

/** What the lines of a scale reach to, as far as it is known while scales are made. */
function reach(u: uPlot, scale: string): [number | null, number | null] {
  const own = u.series.filter(
    (x) => x.scale === scale && x.show !== false && Number.isFinite(x.min) && Number.isFinite(x.max),
  );
  if (own.length === 0) return [null, null];
  return own.reduce<[number, number]>(
    (r, x) => [Math.min(r[0], x.min ?? r[0]), Math.max(r[1], x.max ?? r[1])],
    [Infinity, -Infinity],
  );
}

/** A right axis follows the grid of the left one, which has its own ends. */
const besideLeft =
  (s: Shape): uPlot.Scale.Range =>
  (u, lo, hi) =>
    rightRange(axisRange(...reach(u, "y"), s.left), lo, hi, s.right);

/** The numbers of a right axis stand at the lines of the grid where its ends allow round ones there. */
function onGrid({ scales: { y } }: uPlot, min: number, max: number, b: Bounds): number[] {
  const own = axisSplits(min, max, b.log);
  if (b.log || min !== 0 || y?.min !== 0 || !y.max || y.distr === 3) return own;
  const there = axisSplits(0, y.max).map((v) => Number(((v / (y.max ?? v)) * max).toPrecision(12)));
  return there.every((v) => Number(v.toPrecision(3)) === v) ? there : own;
}

/** Where the lines are under the crosshair. */
function pointsOf(s: Shape): uPlot.Cursor.Points {
  // An element for each line, moved with every move of the mouse, is too much for thousands; sizes and colours would be asked for all the same.
  if (s.lines.length > manyLines) return { show: false, size: 0, fill: "" };
  return {
    // A column of grey dots tells nothing.
    size: (_u, i) => (s.lines[i - 1]?.muted || s.kind === "bar" ? 0 : 8),
    width: 1.5,
    stroke: () => frame[s.scheme].panel,
    fill: (_u, i) => colorOf(s.lines[i - 1]?.paint ?? { slot: 0 }, s.scheme),
  };
}

/** The options of a plot, without size and without behaviour. */
export function options(s: Shape): Omit<uPlot.Options, "width" | "height"> {
  const ink = frame[s.scheme];
  const font = `${s.large ? 14 : 11}px "Inter Variable", Inter, system-ui, sans-serif`;
  const width = s.large ? axisWidth + 12 : axisWidth;
  const hasRight = s.lines.some((l) => l.axis === 1);
  const right = hasRight ? width : edge;
  const rightUnit = s.lines.find((l) => l.axis === 1)?.unit ?? "";
  const scale = (b: Bounds): uPlot.Scale => ({
    range: (_u, lo, hi) => axisRange(lo, hi, b),
    ...(b.log && { distr: 3 as const, log: 10 as const }),
  });
  const yAxis = (b: Bounds, side: 1 | 3, name: string, unit: string): uPlot.Axis => ({
    scale: name,
    side,
    size: width,
    gap,
    font,
    stroke: ink.text,
    ticks: { show: false },
    grid: { show: side === 3, stroke: ink.grid, width: 1 },
    // They are as many as have room: what would be left out of a logarithmic axis has no label.
    filter: (_u, splits) => splits,
    splits: (u, _i, min, max) => (side === 1 ? onGrid(u, min, max, b) : axisSplits(min, max, b.log)),
    values: (_u, splits) =>
      // Numbers without lines would be invented ones.
      s.lines.length === 0
        ? splits.map(() => "")
        : axisLabels(splits, unit, s.viewer, width - gap, (text) => textWidth(text, font)),
  });
  return {
    padding: [topRoom, hasRight ? 0 : edge, 0, 0],
    legend: { show: false },
    scales: {
      x: { time: true, ...(s.kind === "bar" && { range: wholeBars }) },
      y: scale(s.left),
      ...(hasRight && { y2: { ...scale(s.right), ...(!s.left.log && { range: besideLeft(s) }) } }),
    },
    axes: [
      {
        font,
        stroke: ink.text,
        size: s.large ? 28 : 22,
        gap,
        space: s.large ? 110 : 74,
        grid: { show: false },
        ticks: { show: false },
        values: (u, splits) => {
          const { min = 0, max = 1 } = u.scales.x ?? {};
          const [from, span] = [min ?? 0, (max ?? 1) - (min ?? 0)];
          const plot = u.width - width - right;
          return withinEdge(
            timeLabels(splits, span, s.viewer),
            splits.map((t) => ((t - from) / span) * plot),
            plot + right,
            (text) => textWidth(text, font),
          );
        },
      },
      yAxis(s.left, 3, "y", ""),
      ...(hasRight ? [yAxis(s.right, 1, "y2", rightUnit)] : []),
    ],
    series: [{}, ...s.lines.map((l) => seriesOf(l, s))],
    ...(s.kind === "stacked" &&
      s.lines.length > 1 && {
        bands: s.lines.slice(1).map((_, i): uPlot.Band => ({ series: [i + 2, i + 1], dir: -1 })),
      }),
    ...(s.kind === "line" && s.lines.some((l) => l.bandTo) && { bands: bandsOf(s) }),
    focus: { alpha: 0.25 },
    cursor: {
      x: true,
      y: false,
      drag: { x: true, y: false, setScale: false },
      focus: { prox: -1 },
      // Without points nobody asks where each line is under the crosshair: only the times, which are the first, are looked up.
      ...(s.lines.length > manyLines && {
        dataIdx: (_u: uPlot, series: number, idx: number) => (series === 0 ? idx : (null as never)),
      }),
      points: pointsOf(s),
      ...(s.syncKey && { sync: { key: s.syncKey, setSeries: false, scales: ["x", null] as [string, null] } }),
    },
  };
}
