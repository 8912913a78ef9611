import type { Answer, Result } from "./query";
import type { OneResult, QueryAnswer } from "./ui.gen";

export type Decoded = { id: number; answer: Answer } | { id: number; error: string };

/** What bytes that came in parts say. */
export function textOf(parts: Uint8Array[]): string {
  const decoder = new TextDecoder();
  return parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode();
}

/** Lines without times have those of the line before them. Lists of numbers are kept as kept has them. */
export function withTimes(results: OneResult[], kept: (t: number[]) => ArrayLike<number> = (t) => t): Result[] {
  return results.map((r) => {
    let before: ArrayLike<number> = [];
    const series = r.series.map((s) => {
      if (s.times) before = kept(s.times);
      return { ...s, times: before, values: kept(s.values) };
    });
    return { ...r, series };
  });
}

/** Makes typed arrays of times and values, which share one buffer: thousands would take long to change hands. */
export function compact(answer: QueryAnswer): { answer: Answer; buffer: ArrayBuffer } {
  let size = 0;
  for (const { series } of answer.results) for (const s of series) size += (s.times?.length ?? 0) + s.values.length;
  const all = new Float64Array(size);
  let at = 0;
  const pack = (list: ArrayLike<number>): ArrayLike<number> => {
    const own = all.subarray(at, at + list.length);
    own.set(list);
    at += list.length;
    return own;
  };
  return { answer: { ...answer, results: withTimes(answer.results, pack) }, buffer: all.buffer };
}
