import type { Dynamic } from "../api/query";
import type { TagFilter } from "../api/types";
import { defaultRange, presets, type Range } from "../time/range";
import type { Filter } from "./filters";
import { sameText } from "./tagOf";

/** The range that a turn of a playlist is shown in: "" is that of every space. */
export const rangeOf = (text: string): Range =>
  presets.find((p) => p.range.from === text)?.range ?? (text ? { from: text, to: "" } : defaultRange);

/** What is wrong with how long a turn lasts. */
export const secondsProblem = (seconds: number): string | undefined =>
  Number.isInteger(seconds) && seconds >= 5 && seconds <= 86_400 ? undefined : "Must be 5 to 86400.";

/** The next turn whose space is there, on or back from another one, around the end; -1 if there is none. */
export function nextTurn(turns: readonly { gone: boolean }[], from: number, by: 1 | -1): number {
  const n = turns.length;
  for (let i = 1; i <= n; i++) {
    const at = (((from + by * i) % n) + n) % n;
    if (turns[at]?.gone === false) return at;
  }
  return -1;
}

/** What fills the dynamic tags of a space in its turn: its own filters, but for those that the turn has. */
export function turnTags(defaults: TagFilter[], tags: TagFilter[] = []): Dynamic[] {
  const own = defaults.filter((d) => !tags.some((t) => sameText(t.name, d.name)));
  return [...own, ...tags].map((t) => ({ name: t.name, values: t.values ?? [], grouped: t.grouped ?? false }));
}

/** The filters of a turn as they are edited. */
export const editedTags = (tags: TagFilter[] = []): { filters: Filter[]; groups: string[] } => ({
  filters: tags
    .filter((t) => t.values?.length)
    .map((t) => ({
      name: t.name,
      values: (t.values ?? []).map((v) => v.replace(/^!/, "")),
      not: t.values?.[0]?.startsWith("!") ?? false,
    })),
  groups: tags.filter((t) => t.grouped).map((t) => t.name),
});
