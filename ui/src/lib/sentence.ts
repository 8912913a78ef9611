import type { Condition } from "../api/types";
import { duration, value } from "./format";
import { type Viewer, viewer } from "./viewer";

/** What a summary function is called in a sentence; the usual one has no name. */
const functions: Record<string, string> = {
  mean: "average",
  last: "last value",
  stddev: "spread",
  derivative: "change",
};

/** "checkout.latency.p99 max above 250 ms for 5 min, per region" */
export function conditionSentence(c: Condition, unit = "", who: Viewer = viewer()): string {
  const grouped = c.tags.filter((t) => t.grouped).map((t) => t.name);
  const per = grouped.length ? `, per ${grouped.join(" and ")}` : "";
  const lasting = c.duration ? ` for ${duration(c.duration)}` : "";
  if (c.type === "absent") return `${c.metric_name} absent${lasting}${per}`;
  const fn = c.summary_function ? ` ${functions[c.summary_function] ?? c.summary_function}` : "";
  return `${c.metric_name}${fn} ${c.type} ${value(c.threshold, unit, who)}${lasting}${per}`;
}

/** One sentence for a whole alert: its conditions, joined. */
export function alertSentence(
  conditions: Condition[],
  unit: (metric: string) => string = () => "",
  who: Viewer = viewer(),
): string {
  if (conditions.length === 0) return "never, it has no conditions";
  return conditions.map((c) => conditionSentence(c, unit(c.metric_name), who)).join(" and ");
}
