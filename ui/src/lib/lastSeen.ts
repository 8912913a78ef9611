import type { Dynamic } from "../api/query";
import type { Stream, TagFilter } from "../api/types";
import { sameText, tagOf } from "./tagOf";

export type SeenStream = { tags: Record<string, string>; last_seen: number | null };

/** Whether a value is one that a filter wants: * stands for anything, ! for not. */
function wants(values: string[], value: string | undefined): boolean {
  const fits = (pattern: string) =>
    value !== undefined &&
    new RegExp(`^${pattern.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`, "i").test(value);
  const not = values.filter((v) => v.startsWith("!")).map((v) => v.slice(1));
  const yes = values.filter((v) => !v.startsWith("!"));
  return !not.some(fits) && (yes.length === 0 || yes.some(fits));
}

/** The filters of a stream, those of the page filled in. */
function filtersOf(s: Stream, dynamic: Dynamic[]): TagFilter[] {
  return (s.tags ?? []).map((t) =>
    t.dynamic ? { ...t, values: dynamic.find((d) => sameText(d.name, t.name))?.values ?? [] } : t,
  );
}

/** When streams that a chart asks for were last measured; 0 if never. */
export function lastSeen(s: Stream, dynamic: Dynamic[], all: SeenStream[]): number {
  const filters = filtersOf(s, dynamic).filter((f) => f.values?.length);
  const mine = all.filter((x) => filters.every((f) => wants(f.values ?? [], tagOf(x.tags, f.name))));
  return mine.reduce((last, x) => Math.max(last, x.last_seen ?? 0), 0);
}
