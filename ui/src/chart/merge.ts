import type { RawSeries, Result } from "../api/query";
import type { Window } from "../time/range";
import { tagKey } from "./data";

/** Points that came since, put into what was there; what fell out of the window goes. */
export function merge(old: Result[], fresh: Result[], w: Window, since: number): Result[] {
  const key = (s: RawSeries) =>
    `${s.metric ?? ""}|${s.low ?? ""}|${s.high ?? ""}|${s.percentile ?? ""}|${s.summary ?? ""}|${tagKey(s.tags)}`;
  return fresh.map((f) => {
    const before = old.find((o) => o.id === f.id);
    if (!before) return f;
    const kept = new Map<string, RawSeries>();
    for (const s of before.series) kept.set(key(s), between(s, w.start, since));
    for (const s of f.series) {
      const was = kept.get(key(s));
      kept.set(key(s), was ? { ...s, times: joined(was.times, s.times), values: joined(was.values, s.values) } : s);
    }
    const series = [...kept.values()].filter((s) => s.times.length > 0);
    return { ...f, series, streams: Math.max(f.streams ?? 0, before.streams ?? 0) };
  });
}

function between(s: RawSeries, from: number, to: number): RawSeries {
  let [lo, hi] = [0, s.times.length];
  while (lo < hi && (s.times[lo] ?? 0) < from) lo++;
  while (hi > lo && (s.times[hi - 1] ?? 0) >= to) hi--;
  return { ...s, times: part(s.times, lo, hi), values: part(s.values, lo, hi) };
}

/** The numbers of an answer are a list, or of a large one a typed array; they stay what they are. */
const part = (list: ArrayLike<number>, from: number, to: number): ArrayLike<number> =>
  list instanceof Float64Array ? list.subarray(from, to) : Array.prototype.slice.call(list, from, to);

function joined(a: ArrayLike<number>, b: ArrayLike<number>): ArrayLike<number> {
  if (!(a instanceof Float64Array)) return [...Array.from(a), ...Array.from(b)];
  const out = new Float64Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
