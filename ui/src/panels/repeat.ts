import type { Loaded } from "../api/series";
import { tagOf } from "../lib/tagOf";

/** More than that are no longer looked at one by one. */
export const mostCopies = 24;

const byText = new Intl.Collator(undefined, { numeric: true });

/** What was loaded, apart by the values of a tag, in the order people count. What does not have the tag is in none. */
export function apart(loaded: Loaded, tag: string): { value: string; loaded: Loaded }[] {
  const values = new Set(loaded.results.flatMap((r) => r.series.flatMap((s) => tagOf(s.tags, tag) ?? [])));
  return [...values].sort(byText.compare).map((value) => ({
    value,
    loaded: {
      ...loaded,
      results: loaded.results.map((r) => ({ ...r, series: r.series.filter((s) => tagOf(s.tags, tag) === value) })),
    },
  }));
}
