import type { Distribution } from "../api/query";
import type { ChartDraft, ChartKind } from "../api/types";
import type { Window } from "../time/range";

/** How a chart is shown. */
export const kindOf = (c: Pick<ChartDraft, "type" | "attributes">): ChartKind => c.attributes?.kind ?? c.type;

/** Those of a chart that says nothing else, as the server has it. */
const usualPercentiles = [50, 95, 99];

export const percentilesOf = (c: Pick<ChartDraft, "attributes">) => c.attributes?.percentiles ?? usualPercentiles;

/** What is asked for a chart that shows how values are distributed. */
export const distributionOf = (c: Pick<ChartDraft, "type" | "attributes">): Distribution | undefined =>
  kindOf(c) === "heatmap" && c.attributes?.rows === "distribution"
    ? { by: c.attributes.repeat ?? "", percentiles: percentilesOf(c) }
    : undefined;

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
