import { query, streamQueries } from "../../api/query";
import type { Condition } from "../../api/types";
import { type Question, streamOf } from "../../lib/question";

const everything: Question = { filters: [], groups: [], summary: "", lines: "", transform: "" };

/** What a condition starts as: for the streams that were looked at. */
export const newCondition = (metric = "", threshold = 0, asked = everything): Condition => ({
  type: "above",
  metric_name: metric,
  threshold,
  duration: 300,
  tags: streamOf(metric, asked).tags ?? [],
  ...(asked.summary && { summary_function: asked.summary }),
});

const week = 7 * 86_400;

/** The highest value of a metric in a week, as a condition sees it; nothing where there is none. */
export async function highestOf(metric: string, signal?: AbortSignal): Promise<number | null> {
  const end = Math.ceil(Date.now() / 900_000) * 900;
  const queries = streamQueries([{ metric, summary_function: "max", group_function: "max" }]);
  const { results } = await query({ start: end - week, end, resolution: 900, queries, dynamic: [] }, signal);
  const values = results.flatMap((r) => r.series.flatMap((s) => Array.from(s.values)));
  return values.length ? values.reduce((a, b) => Math.max(a, b)) : null;
}

/** The next number of two digits above a value: an alert that starts there has not fired lately. */
export function justAbove(v: number): number {
  if (v <= 0) return 0;
  const unit = 10 ** (Math.floor(Math.log10(v)) - 1);
  const next = (Math.floor(Number((v / unit).toPrecision(12))) + 1) * unit;
  return Number(next.toPrecision(2));
}
