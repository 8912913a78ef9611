import type { Window } from "../time/range";
import { type Cell, type Line, lastValue, times } from "./data";

/** Columns for drawing. Stacked lines lie on the sum of those before them. */
export function columns(drawn: Line[], w: Window, stacked: boolean, incomplete: boolean): [number[], ...Cell[][]] {
  const xs = times(w);
  // The bucket being filled is drawn apart, as the end of a line: where none leads to it, it is all there is to see.
  const cut = (v: Cell[]) => (incomplete && lastValue(v, true) !== null ? [...v.slice(0, -1), null] : v);
  if (!stacked) return [xs, ...drawn.map((l) => cut(l.values))];
  const whole = drawn.map((l) => joined(l.values));
  const sum = new Array<number>(xs.length).fill(0);
  const some = xs.map((_, i) => whole.some((v) => v[i] != null));
  return [
    xs,
    ...whole.map((values) =>
      cut(
        sum.map((s, i) => {
          sum[i] = s + (values[i] ?? 0);
          return some[i] ? sum[i] : null;
        }),
      ),
    ),
  ];
}

/** A line that goes on between two samples has a value there too, or the others of its stack would fall to the ground. */
export function joined(values: Cell[]): Cell[] {
  const out = [...values];
  let last = -1;
  for (let i = 0; i < out.length; i++) {
    const v = out[i];
    if (v === undefined) continue;
    if (v === null) {
      last = -1;
      continue;
    }
    const from = out[last];
    if (last >= 0 && from != null)
      for (let k = last + 1; k < i; k++) out[k] = from + ((v - from) * (k - last)) / (i - last);
    last = i;
  }
  return out;
}

const reach = 60;

/** The next sample on one side, as far as the line is drawn through; -1 where there is none. */
function seek(values: ArrayLike<Cell>, idx: number, by: -1 | 1, most: number): number {
  for (let k = 1, at = idx + by; k <= most && at >= 0 && at < values.length; k++, at += by) {
    if (values[at] === null) return -1;
    if (values[at] !== undefined) return at;
  }
  return -1;
}

/**
 * Where to read a line at a place of the crosshair: there, or at the sample
 * nearest to it on the line that is drawn through. -1 where there is none, as
 * before its first sample.
 */
export function readAt(values: ArrayLike<Cell>, idx: number): number {
  if (values[idx] != null) return idx;
  if (values[idx] === null) return -1;
  const left = seek(values, idx, -1, 2 * reach);
  if (left < 0) return -1;
  const right = seek(values, idx, 1, reach);
  const near = right >= 0 && right - idx < idx - left ? right : left;
  return Math.abs(near - idx) <= reach ? near : -1;
}

/** What a line shows at a place of the crosshair. */
export const valueAt = (values: Cell[], idx: number): number | null => values[readAt(values, idx)] ?? null;
