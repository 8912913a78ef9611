import type { Answer, Result } from "./query";
import type { OneResult, QueryAnswer } from "./ui.gen";

export type Decoded = { id: number; answer: Answer } | { id: number; error: string };

/** Lines without times have those of the line before them. */
export function withTimes(results: OneResult[], times: (t: number[]) => ArrayLike<number> = (t) => t): Result[] {
  return results.map((r) => {
    let before: ArrayLike<number> = [];
    const series = r.series.map((s) => {
      if (s.times) before = times(s.times);
      return { ...s, times: before };
    });
    return { ...r, series };
  });
}

/** Makes typed arrays of times and values; their buffers are added to the list. */
export function compact(answer: QueryAnswer, buffers: ArrayBuffer[]): Answer {
  const pack = (list: ArrayLike<number>): ArrayLike<number> => {
    const out = Float64Array.from(list);
    buffers.push(out.buffer);
    return out;
  };
  const results = withTimes(answer.results, pack);
  return {
    ...answer,
    results: results.map((r) => ({ ...r, series: r.series.map((s) => ({ ...s, values: pack(s.values) })) })),
  };
}
