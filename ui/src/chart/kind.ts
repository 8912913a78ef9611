import type { ChartDraft, ChartKind } from "../api/types";
import type { Window } from "../time/range";

/** How a chart is shown. */
export const kindOf = (c: Pick<ChartDraft, "type" | "attributes">): ChartKind => c.attributes?.kind ?? c.type;

/** Of a chart that shows how values are distributed, the tag it does so for each value of, "" for all together; else undefined. */
export const distributionBy = (c: Pick<ChartDraft, "type" | "attributes">): string | undefined =>
  kindOf(c) === "heatmap" && c.attributes?.rows === "distribution" ? (c.attributes.repeat ?? "") : undefined;

/** Whether it is made of measurements at all. */
export const hasSeries = (kind: ChartKind) => !["text", "alerts", "events"].includes(kind);

const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440];
/** As many as can be told apart. */
const most: { [K in ChartKind]?: number } = { bar: 48, heatmap: 96 };

/** The window that a chart is asked for: bars and cells are fewer than the points of a line. */
export function windowFor(kind: ChartKind, w: Window): Window {
  const limit = most[kind];
  if (!limit) return w;
  const fits = minutes.map((m) => m * 60).find((m) => (w.end - w.start) / m <= limit) ?? 86_400;
  const step = Math.max(w.step, fits);
  return { start: Math.floor(w.start / step) * step, end: Math.ceil(w.end / step) * step, step };
}
