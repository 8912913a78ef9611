import type { Stream } from "../api/types";
import { type Filter, filtersOf, filterText, groupsOf } from "./filters";
import type { TagSearch } from "./search";

/** What is asked of a metric: which streams, one line for what, which summary of each measurement. */
export type Question = { filters: Filter[]; groups: string[]; summary: string };

/** What looks at how values are distributed. */
export const percentiles = ["p50", "p75", "p90", "p95", "p99", "p999"];

export const summaries = ["average", "max", "min", "sum", "count", ...percentiles].map((label) => ({
  value: label === "average" ? "" : label,
  label,
}));

type Search = TagSearch & { group?: string | undefined; summary?: string | undefined };

/** The question that an address holds. */
export const questionOf = (search: Search): Question => ({
  filters: filtersOf(search),
  groups: groupsOf(search.group),
  summary: search.summary ?? "",
});

/** Counts of a group add up, a percentile is one of all its values; everything else is summarized as its streams are. */
function ofGroup(summary: string): string {
  if (percentiles.includes(summary)) return "mean";
  return summary === "count" ? "sum" : summary || "mean";
}

/** The stream of a chart that asks it. Without groups every stream has a line of its own. */
export function streamOf(metric: string, { filters, groups, summary }: Question, unit = ""): Stream {
  const names = [...new Set([...filters.map((f) => f.name), ...groups])];
  const tags = names.map((name) => {
    const f = filters.find((x) => x.name === name);
    return {
      name,
      ...(f && { values: f.values.map((v) => (f.not ? `!${v}` : v)) }),
      ...(groups.includes(name) && { grouped: true }),
    };
  });
  return {
    metric,
    ...(tags.length && { tags }),
    ...(summary && { summary_function: summary }),
    group_function: groups.length ? ofGroup(summary) : "breakout",
    gap_detection: true,
    ...(unit && { units_short: unit }),
  };
}

/** What the address of Explore, or of a new alert, says of a stream of a chart; filters fill what is dynamic. */
export function searchOf(s: Stream, filters: Filter[] = []): Record<string, string> {
  if (!s.metric) return s.composite ? { q: s.composite } : {};
  const out: Record<string, string> = { metric: s.metric };
  for (const t of s.tags ?? []) {
    const text = t.dynamic ? dynamicText(filters, t.name) : valuesText(t.values ?? []);
    if (text) out[`tag.${t.name}`] = text;
  }
  const groups = (s.tags ?? []).filter((t) => t.grouped).map((t) => t.name);
  if (groups.length) out.group = groups.join(",");
  if (s.summary_function && s.summary_function !== "average") out.summary = s.summary_function;
  return out;
}

function dynamicText(filters: Filter[], name: string): string | undefined {
  const f = filters.find((x) => x.name === name);
  return f && filterText(f.values, f.not);
}

/** Values as a stream has them ("!eu"), as the address has them. What has both has only what it wants. */
function valuesText(values: string[]): string | undefined {
  const wanted = values.filter((v) => !v.startsWith("!") && v !== "*");
  const not = wanted.length === 0;
  return filterText(not ? values.filter((v) => v !== "*").map((v) => v.slice(1)) : wanted, not);
}

/** "Max by host", "Average of each stream" */
export function questionWords({ groups, summary }: Question): string {
  const shown = summary || "average";
  const first = `${shown.charAt(0).toUpperCase()}${shown.slice(1)}`;
  return groups.length ? `${first} by ${groups.join(", ")}` : `${first} of each stream`;
}
