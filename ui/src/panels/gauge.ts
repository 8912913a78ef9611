import type { ChartDraft, Threshold } from "../api/types";
import { thresholdWords } from "../chart/bigValue";
import type { Cell, Line } from "../chart/data";
import { chosen } from "../lib/format";
import { numberOf } from "./table";

export type Ends = { min: number; max: number };

/** Where a gauge begins and ends: as it says, or for a percentage as everybody expects. */
export function endsOf(chart: ChartDraft, unit: string): Ends | undefined {
  const max = chart.max ?? (unit === "%" ? 100 : undefined);
  const min = chart.min ?? 0;
  return max != null && min < max ? { min, max } : undefined;
}

/** The line that a gauge points at: the one with the highest number, or the lowest if that is the bad side. */
export function worst(
  chart: ChartDraft,
  lines: Line[],
  incomplete: boolean,
): { line: Line; value: number } | undefined {
  const { value, order } = chart.attributes ?? {};
  const all = lines.flatMap((line) => {
    const v = numberOf(line, value, incomplete);
    return v === null ? [] : [{ line, value: v }];
  });
  return all.toSorted((a, b) => (order === "lowest" ? a.value - b.value : b.value - a.value))[0];
}

/** How far along a value is, from 0 to 1. */
export const share = (v: number, { min, max }: Ends) => Math.min(1, Math.max(0, (v - min) / (max - min)));

/** A piece of half a circle, from the left to the right, as the path of an SVG. */
export function arc(cx: number, cy: number, r: number, from: number, to: number): string {
  const at = (s: number) =>
    `${(cx - r * Math.cos(s * Math.PI)).toFixed(2)} ${(cy - r * Math.sin(s * Math.PI)).toFixed(2)}`;
  return `M${at(from)}A${r} ${r} 0 0 1 ${at(to)}`;
}

/** The pieces of a gauge that thresholds colour, the worse over the less bad. */
export function zones(thresholds: Threshold[], ends: Ends): { type: Threshold["type"]; from: number; to: number }[] {
  return thresholds
    .filter((t) => t.operator !== "=" && Number.isFinite(t.value))
    .map((t) =>
      t.operator === ">"
        ? { type: t.type, from: share(t.value, ends), to: 1 }
        : { type: t.type, from: 0, to: share(t.value, ends) },
    )
    .filter((z) => z.from < z.to)
    .sort((a, b) => Number(a.type === "red") - Number(b.type === "red"));
}

/** "above 80 %, red at 90 %": the threshold that was crossed, and the worse one that was not yet. */
export function thresholdsInWords(hit: Threshold | undefined, all: Threshold[], unit: string): string | undefined {
  if (!hit) return undefined;
  const next = hit.type === "yellow" && all.find((t) => t.type === "red" && t.operator === hit.operator);
  return thresholdWords(hit, unit) + (next ? `, red at ${chosen(next.value, unit)}` : "");
}

const day = 86_400;
/** Further ahead than this nobody believes it. */
const horizon = 60 * day;
const steady = 0.8;
const enough = 24;

/** In how many seconds a value reaches its end, if it has grown steadily; nothing where it has not. */
export function fullIn(values: Cell[], step: number, end: number): number | undefined {
  const points = values.flatMap((v, i) => (v == null ? [] : [{ x: i * step, y: v }]));
  const n = points.length;
  if (n < enough) return undefined;
  const mean = (of: (p: { x: number; y: number }) => number) => points.reduce((sum, p) => sum + of(p), 0) / n;
  const [mx, my] = [mean((p) => p.x), mean((p) => p.y)];
  const sxy = mean((p) => (p.x - mx) * (p.y - my));
  const sxx = mean((p) => (p.x - mx) ** 2);
  const syy = mean((p) => (p.y - my) ** 2);
  if (sxx === 0 || syy === 0) return undefined;
  const slope = sxy / sxx;
  const last = points[n - 1]?.y ?? 0;
  if (slope <= 0 || sxy ** 2 / (sxx * syy) < steady || last >= end) return undefined;
  const left = (end - last) / slope;
  return left <= horizon ? left : undefined;
}

/** "full in about 9 days" */
export function fullWords(seconds: number | undefined): string | undefined {
  if (seconds === undefined) return undefined;
  const days = Math.round(seconds / day);
  if (days >= 1) return `full in about ${days === 1 ? "1 day" : `${days} days`}`;
  const hours = Math.max(1, Math.round(seconds / 3600));
  return `full in about ${hours} h`;
}
