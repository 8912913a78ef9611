import type { Dynamic } from "../api/query";
import type { Chart, Stream, TagFilter } from "../api/types";
import type { TagSearch } from "./search";
import { sameText } from "./tagOf";

/** A tag filter of a page: values any of which will do, or none of which may be. */
export type Filter = { name: string; values: string[]; not: boolean };

const any = "*";

/** Filters as the address has them: tag.region=eu,us or tag.region=!eu. "*" is no filter, said aloud. */
export function filtersOf(search: TagSearch, defaults: TagFilter[] = []): Filter[] {
  const out: Filter[] = [];
  out.push(...filtersIn(defaults.filter((d) => search[`tag.${d.name}`] === undefined)));
  for (const [key, text] of Object.entries(search)) {
    if (!key.startsWith("tag.") || !text || text === any) continue;
    const not = text.startsWith("!");
    const values = (not ? text.slice(1) : text).split(",").filter(Boolean);
    if (values.length) out.push({ name: key.slice(4), values, not });
  }
  return out;
}

/** One filter as the address has it; no values takes it away. */
export function filterText(values: string[], not: boolean, isDefault = false): string | undefined {
  if (values.length === 0) return isDefault ? any : undefined;
  return `${not ? "!" : ""}${values.join(",")}`;
}

export const groupsOf = (group: string | undefined): string[] => group?.split(",").filter(Boolean) ?? [];

/** What fills the dynamic tags of charts. */
export function dynamicOf(filters: Filter[], groups: string[]): Dynamic[] {
  const names = [...new Set([...filters.map((f) => f.name), ...groups])];
  return names.map((name) => {
    const f = filters.find((x) => x.name === name);
    return { name, values: f ? valuesOf(f) : [], grouped: groups.includes(name) };
  });
}

/** The values of a filter as a tag of the API has them. */
const valuesOf = (f: Filter): string[] => f.values.map((v) => (f.not ? `!${v}` : v));

/** What is kept of filters: of a space, of a link. */
export const tagsOf = (filters: Filter[]): TagFilter[] => filters.map((f) => ({ name: f.name, values: valuesOf(f) }));

/** The filters that fill the dynamic tags of charts. */
export const filtersIn = (tags: TagFilter[]): Filter[] =>
  tags.flatMap(({ name, values = [] }) => {
    const not = values.some((v) => v.startsWith("!"));
    return values.length ? [{ name, not, values: values.map((v) => (not ? v.replace(/^!/, "") : v)) }] : [];
  });

export function follows(s: Stream, tag: string): boolean {
  if (s.composite)
    return new RegExp(`["']?${tag.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}["']?\\s*:\\s*["']%["']`, "i").test(
      s.composite,
    );
  return s.tags?.some((t) => sameText(t.name, tag) && t.dynamic) ?? false;
}

/** Whether a page's filter reaches a chart. */
export const chartFollows = (c: Pick<Chart, "streams">, tag: string) => c.streams.some((s) => follows(s, tag));

/** A chart that neither follows a tag nor says itself which values it wants. */
export const isDeaf = (c: Pick<Chart, "streams">, tag: string) =>
  !chartFollows(c, tag) &&
  c.streams.some((s) => s.metric && s.type !== "annotation" && !s.tags?.some((t) => sameText(t.name, tag)));

/** The tags of a stream that was just given its metric: those of the space's filter that the metric has. */
export const followed = (has: string[], filters: { name: string }[], tags: TagFilter[] = []): TagFilter[] => [
  ...tags,
  ...filters
    .filter((f) => has.some((h) => sameText(h, f.name)) && !tags.some((t) => sameText(t.name, f.name)))
    .map((f) => ({ name: f.name, dynamic: true })),
];

/** A chart that follows one more tag. */
export function followTag(streams: Stream[], tag: string): Stream[] {
  return streams.map((s) => {
    if (!s.metric || s.type === "annotation" || follows(s, tag)) return s;
    return { ...s, tags: [...(s.tags ?? []).filter((t) => t.name !== tag), { name: tag, dynamic: true }] };
  });
}

/** "region is any of 3", said in parts. */
export function filterWords(f: Filter): { verb: string; what: string; mono: boolean } {
  if (f.values.length === 1) return { verb: f.not ? "is not" : "is", what: f.values[0] ?? "", mono: true };
  return { verb: f.not ? "is none of" : "is any of", what: String(f.values.length), mono: false };
}

const mostValues = 5;

/** What a page is narrowed to, where it cannot be changed: "region is eu-central or us-east, one line per host". */
export function filterSentence(dynamic: Dynamic[]): string {
  const filters = filtersIn(dynamic).map((f) => {
    const { verb, what } = filterWords(f);
    return f.values.length > mostValues
      ? `${f.name} ${verb} ${what}`
      : `${f.name} ${f.not ? "is not" : "is"} ${f.values.join(f.not ? " nor " : " or ")}`;
  });
  return [...filters, ...dynamic.filter((d) => d.grouped).map((d) => `one line per ${d.name}`)].join(", ");
}
