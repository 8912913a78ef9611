import type { TagName } from "../api/ui.gen";

/** Tags by how many values they have, the most first. */
export const mostValues = (tags: TagName[]): TagName[] =>
  [...tags].sort((a, b) => b.values - a.values || a.name.localeCompare(b.name));

/** The tag that makes most of the streams: one that has many values, more than any other. */
export function culprit(tags: TagName[]): TagName | undefined {
  const [first, second] = mostValues(tags);
  return first && first.values >= 10 && first.values > (second?.values ?? 0) ? first : undefined;
}
