import type { Stream } from "../api/types";
import { type Filter, filtersOf, filterText, groupsOf } from "./filters";
import type { TagSearch } from "./search";

/**
 * What is asked of a metric: which streams, one line for what, which summary of each measurement, how streams become
 * one line, where that is not as usual, and what is made of each value.
 */
export type Question = { filters: Filter[]; groups: string[]; summary: string; lines: string; transform: string };

/** How streams become one line, or stay apart. */
export const foldings = [
  { value: "breakout", label: "a line for each" },
  { value: "mean", label: "averaged" },
  { value: "sum", label: "added up" },
  { value: "min", label: "their lowest" },
  { value: "max", label: "their highest" },
];

/** What looks at how values are distributed. */
export const percentiles = ["p50", "p75", "p90", "p95", "p99", "p999"];

export const summaries = ["average", "max", "min", "sum", "count", ...percentiles].map((label) => ({
  value: label === "average" ? "" : label,
  label,
}));

type Search = TagSearch & { [K in "group" | "summary" | "lines" | "transform"]?: string | undefined };

/** The question that an address holds. */
export const questionOf = (search: Search): Question => ({
  filters: filtersOf(search),
  groups: groupsOf(search.group),
  summary: search.summary ?? "",
  lines: foldings.some((f) => f.value === search.lines) ? (search.lines ?? "") : "",
  transform: search.transform ?? "",
});

/** Counts of a group add up, a percentile is one of all its values; everything else is summarized as its streams are. */
function ofGroup(summary: string): string {
  if (percentiles.includes(summary)) return "mean";
  return summary === "count" ? "sum" : summary || "mean";
}

/** What becomes of streams where nobody says: without groups every stream has a line of its own. */
export const usualLines = (groups: string[], summary: string): string =>
  groups.length ? ofGroup(summary) : "breakout";

/** The stream of a chart that asks it. */
export function streamOf(metric: string, q: Question, unit = ""): Stream {
  const { filters, groups, summary, lines, transform } = q;
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
    group_function: lines || usualLines(groups, summary),
    ...(transform && { transform_function: transform }),
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
  const lines = foldingOf(s);
  if (lines !== usualLines(groups, out.summary ?? "")) out.lines = lines;
  if (s.transform_function) out.transform = s.transform_function;
  return out;
}

/** A stream of a chart that does not say is averaged into one line. */
const foldingOf = ({ group_function: f }: Stream): string => (!f || f === "average" ? "mean" : f);

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

/** "Max by host", "Average of each stream", "Average of all streams, added up" */
export function questionWords({ groups, summary, lines }: Question): string {
  const shown = summary || "average";
  const first = `${shown.charAt(0).toUpperCase()}${shown.slice(1)}`;
  const folded = lines && lines !== usualLines(groups, summary) && foldings.find((f) => f.value === lines)?.label;
  if (lines === "breakout" || (!groups.length && !folded)) return `${first} of each stream`;
  const of = groups.length ? `by ${groups.join(", ")}` : "of all streams";
  return folded ? `${first} ${of}, ${folded}` : `${first} ${of}`;
}
