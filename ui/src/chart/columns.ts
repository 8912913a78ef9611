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

/**
 * Where to read a line at a place of the crosshair: there, or at the sample
 * nearest to it on the line that is drawn through. -1 where there is none.
 */
export function readAt(values: ArrayLike<Cell>, idx: number): number {
  if (values[idx] != null) return idx;
  if (values[idx] === null) return -1;
  let [left, right] = [idx, idx];
  for (let k = 0; k < reach; k++) {
    if (left >= 0 && values[left] === undefined) left--;
    if (right < values.length && values[right] === undefined) right++;
    if (left >= 0 && values[left] != null) return left;
    if (right < values.length && values[right] != null) return right;
  }
  return -1;
}

/** What a line shows at a place of the crosshair. */
export const valueAt = (values: Cell[], idx: number): number | null => values[readAt(values, idx)] ?? null;
