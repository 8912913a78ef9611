import type { QueryClient } from "@tanstack/react-query";
import { metrics } from "../api/metrics";
import { charts, spaces } from "../api/spaces";
import type { ChartDraft } from "../api/types";
import type { MetricSummary } from "../api/ui.gen";

type Charted = Pick<MetricSummary, "name" | "type" | "units">;

/** What a counter grew by, a second: its total says nothing. */
const growth = (name: string) => `rate(derive(s(${JSON.stringify(name)}, "*")))`;

/** A chart of a metric as it comes: a line for each stream. */
export const chartOf = ({ name, type, units }: Charted): ChartDraft => ({
  name,
  type: "line",
  streams: [
    type === "counter"
      ? { composite: growth(name), units_short: `${units}/s`, gap_detection: true }
      : { metric: name, group_function: "breakout", gap_detection: true, ...(units && { units_short: units }) },
  ],
});

/** Makes a space with these charts, in their order; returns its id. */
export async function startSpace(name: string, drafts: ChartDraft[]): Promise<number> {
  const { id } = await spaces.create({ name });
  for (const d of drafts) await charts.create(id, d);
  return id;
}

/** More charts than this are no page that anybody reads. */
export const mostCharts = 48;

/** What finds all metrics below a name; what has a * is one already. */
export const below = (prefix: string) => (prefix.includes("*") ? prefix : `${prefix}*`);

/** Makes a space with a chart for each metric that a search finds, in their order; returns its id. */
export async function chartAll(client: QueryClient, name: string, q: string): Promise<number> {
  const { metrics: found } = await client.fetchQuery(metrics.search(q, 0, mostCharts));
  return startSpace(name, found.map(chartOf));
}
