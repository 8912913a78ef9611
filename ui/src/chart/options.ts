import type uPlot from "uplot";
import { number, value } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import { axisRange, axisSplits, type Bounds } from "./axis";
import type { Line } from "./data";
import { colorOf, frame, type Scheme, withAlpha } from "./palette";

export type Kind = "line" | "stacked";

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

/** A text that is equal for shapes that one plot can draw. */
export function shapeKey(s: Shape): string {
  const l = s.lines.map((x) => [x.key, x.label, x.axis, x.paint, x.dash, x.muted, x.unit]);
  return JSON.stringify([s.kind, s.scheme, l, s.left, s.right, s.viewer, s.syncKey, s.large]);
}

const hourMinute: Intl.DateTimeFormatOptions = { hour: "2-digit", minute: "2-digit" };
const writers = new Map<string, Intl.DateTimeFormat>();

function writer({ locale, zone }: Viewer, o: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale}|${zone}|${JSON.stringify(o)}`;
  let w = writers.get(key);
  if (!w) {
    w = new Intl.DateTimeFormat(locale, { timeZone: zone, ...o });
    writers.set(key, w);
  }
  return w;
}

/** Labels of the time axis: clock within a day, weekday and day at midnight or over days. */
export function timeLabels(splits: number[], span: number, who: Viewer): string[] {
  const write = (o: Intl.DateTimeFormatOptions) => writer(who, o);
  const clock = write(span <= 600 ? { ...hourMinute, second: "2-digit" } : hourMinute);
  const midnight = write({ ...hourMinute, hourCycle: "h23" });
  const day = write(span > 60 * 86400 ? { day: "numeric", month: "short" } : { weekday: "short", day: "numeric" });
  return splits.map((t) => {
    const atMidnight = midnight.format(t * 1000) === "00:00";
    return atMidnight || span > 4 * 86400 ? day.format(t * 1000).replace(",", "") : clock.format(t * 1000);
  });
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
    ...(stacked && { fill: withAlpha(color, s.scheme === "dark" ? 0.72 : 0.65) }),
    spanGaps: false,
    // Points only where a line cannot be: a lone sample between gaps.
    points: {
      show: false,
      filter: (_u, _i, _show, gaps) => (gaps ? lonely(_u.data[_i] ?? [], gaps.length) : null),
      size: 6,
      width: 0,
      fill: color,
    },
  };
}

/** The values that no line leads to or from: one alone between gaps, or the first ever sent. */
export function lonely(values: ArrayLike<number | null | undefined>, gaps: number): number[] | null {
  const out: number[] = [];
  let [count, at] = [0, 0];
  for (let i = 0; i <= values.length; i++) {
    const v = i < values.length ? values[i] : null;
    if (v === undefined) continue;
    if (v !== null) {
      at = i;
      count++;
      if (gaps === 0 && count > 1) return null;
      continue;
    }
    if (count === 1) out.push(at);
    count = 0;
  }
  return out.length ? out : null;
}

/** The options of a plot, without size and without behaviour. */
export function options(s: Shape): Omit<uPlot.Options, "width" | "height"> {
  const ink = frame[s.scheme];
  const font = `${s.large ? 14 : 11}px "Inter Variable", Inter, system-ui, sans-serif`;
  const hasRight = s.lines.some((l) => l.axis === 1);
  const rightUnit = s.lines.find((l) => l.axis === 1)?.unit ?? "";
  const scale = (b: Bounds): uPlot.Scale => ({
    range: (_u, lo, hi) => axisRange(lo, hi, b),
    ...(b.log && { distr: 3 as const, log: 10 as const }),
  });
  const yAxis = (b: Bounds, side: 1 | 3, name: string, unit: string): uPlot.Axis => ({
    scale: name,
    side,
    size: s.large ? axisWidth + 12 : axisWidth,
    gap: 6,
    font,
    stroke: ink.text,
    ticks: { show: false },
    grid: { show: side === 3, stroke: ink.grid, width: 1 },
    splits: (_u, _i, min, max) => axisSplits(min, max, b.log),
    values: (_u, splits) =>
      // Numbers without lines would be invented ones.
      s.lines.length === 0
        ? splits.map(() => "")
        : splits.map((v) => (unit ? value(v, unit, s.viewer) : number(v, s.viewer))),
  });
  return {
    padding: [topRoom, hasRight ? 0 : 4, 0, 0],
    legend: { show: false },
    scales: { x: { time: true }, y: scale(s.left), ...(hasRight && { y2: scale(s.right) }) },
    axes: [
      {
        font,
        stroke: ink.text,
        size: s.large ? 28 : 22,
        gap: 6,
        space: s.large ? 110 : 74,
        grid: { show: false },
        ticks: { show: false },
        values: (u, splits) => timeLabels(splits, (u.scales.x?.max ?? 0) - (u.scales.x?.min ?? 0), s.viewer),
      },
      yAxis(s.left, 3, "y", ""),
      ...(hasRight ? [yAxis(s.right, 1, "y2", rightUnit)] : []),
    ],
    series: [{}, ...s.lines.map((l) => seriesOf(l, s))],
    ...(s.kind === "stacked" &&
      s.lines.length > 1 && {
        bands: s.lines.slice(1).map((_, i): uPlot.Band => ({ series: [i + 2, i + 1], dir: -1 })),
      }),
    focus: { alpha: 0.25 },
    cursor: {
      x: true,
      y: false,
      drag: { x: true, y: false, setScale: false },
      focus: { prox: -1 },
      points: {
        size: 8,
        width: 1.5,
        stroke: () => ink.panel,
        fill: (_u, i) => colorOf(s.lines[i - 1]?.paint ?? { slot: 0 }, s.scheme),
      },
      ...(s.syncKey && { sync: { key: s.syncKey, setSeries: false, scales: ["x", null] as [string, null] } }),
    },
  };
}
