import type { Result } from "./query";
import type { OneResult } from "./ui.gen";

export type Decoded = { id: number; result: Result } | { id: number; error: string };

/** Lines without times have those of the line before them. Lists of numbers are kept as kept has them. */
export function withTimes(r: OneResult, kept: (t: number[]) => ArrayLike<number> = (t) => t): Result {
  let before: ArrayLike<number> = [];
  const series = r.series.map((s) => {
    if (s.times) before = kept(s.times);
    return { ...s, times: before, values: kept(s.values) };
  });
  return { ...r, series };
}

/** Makes typed arrays of times and values, which share one buffer: thousands would take long to change hands. */
export function compact(r: OneResult): { result: Result; buffer: ArrayBuffer } {
  let size = 0;
  for (const s of r.series) size += (s.times?.length ?? 0) + s.values.length;
  const all = new Float64Array(size);
  let at = 0;
  const pack = (list: ArrayLike<number>): ArrayLike<number> => {
    const own = all.subarray(at, at + list.length);
    own.set(list);
    at += list.length;
    return own;
  };
  return { result: withTimes(r, pack), buffer: all.buffer };
}
