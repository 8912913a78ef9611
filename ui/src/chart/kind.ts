import type { Distribution } from "../api/query";
import type { ChartDraft, ChartKind } from "../api/types";
import type { Window } from "../time/range";
import { many } from "./band";

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

/** From how many streams on those of a chart are summed up: lines are, what has a row for each is not. */
export const summarizeOf = (c: Pick<ChartDraft, "type" | "attributes">): number | undefined =>
  kindOf(c) === "line" && !c.attributes?.repeat ? many : undefined;

/** Whether it is made of measurements at all. */
export const hasSeries = (kind: ChartKind) => !["text", "alerts", "events"].includes(kind);

/** Those that have no room for the past, as one speaks of them. */
const uncompared: { [K in ChartKind]?: string } = {
  heatmap: "Heatmaps",
  text: "Texts",
  alerts: "Lists of alerts",
  events: "Lists of events",
};

/** Why it is not compared with the past, if it is not. */
export const notCompared = (kind: ChartKind): string | undefined =>
  uncompared[kind] && `${uncompared[kind]} are not compared.`;

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
