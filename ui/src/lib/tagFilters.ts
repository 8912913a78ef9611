import type { TagFilter } from "../api/types";
import { sameText, toggled } from "./tagOf";

/** The tags with one more value of one of them, or without it where it was there. */
export function toggleValue(list: TagFilter[], name: string, value: string): TagFilter[] {
  const had = list.find((t) => sameText(t.name, name));
  if (!had) return [...list, { name, values: [value] }];
  const values = (had.values ?? []).filter((v) => v !== "*");
  const now = toggled(values, value);
  return now.length ? list.map((t) => (t === had ? { ...t, values: now } : t)) : withoutValues(list, had);
}

/** The tags without the values of one: one that groups goes on with all of them. */
export const withoutValues = (list: TagFilter[], tag: TagFilter): TagFilter[] =>
  tag.grouped ? list.map((t) => (t === tag ? { ...t, values: ["*"] } : t)) : list.filter((t) => t !== tag);
