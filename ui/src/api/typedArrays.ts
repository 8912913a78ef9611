import type { Answer } from "./query";

export type Decoded = { id: number; answer: Answer } | { id: number; error: string };

/** Makes typed arrays of times and values; their buffers are added to the list. */
export function compact(answer: Answer, buffers: ArrayBuffer[]): Answer {
  const pack = (list: ArrayLike<number>): ArrayLike<number> => {
    const out = Float64Array.from(list);
    buffers.push(out.buffer);
    return out;
  };
  return {
    ...answer,
    results: answer.results.map((r) => ({
      ...r,
      series: r.series.map((s) => ({ ...s, times: pack(s.times), values: pack(s.values) })),
    })),
  };
}
