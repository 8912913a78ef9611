/**
 * The least and the most of lists with gaps; nothing where all is gaps. By a
 * loop: some hundred thousand values are more than Math.min takes as arguments.
 */
export function extremes(lists: Iterable<ArrayLike<number | null | undefined>>): [number, number] | undefined {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      const v = list[i];
      if (v == null) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  return low <= high ? [low, high] : undefined;
}
