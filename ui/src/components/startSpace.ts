import { charts, spaces } from "../api/spaces";
import type { ChartDraft } from "../api/types";

/** A chart of a metric as it comes: a line for each stream. */
export const chartOf = (name: string, unit = ""): ChartDraft => ({
  name,
  type: "line",
  streams: [{ metric: name, group_function: "breakout", gap_detection: true, ...(unit && { units_short: unit }) }],
});

/** Makes a space with these charts, in their order; returns its id. */
export async function startSpace(name: string, drafts: ChartDraft[]): Promise<number> {
  const { id } = await spaces.create({ name });
  for (const d of drafts) await charts.create(id, d);
  return id;
}
