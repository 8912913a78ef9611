/** Steps that people count in. */
function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const lead = rough / power;
  return (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 2.5 ? 2.5 : lead <= 5 ? 5 : 10) * power;
}

export type Bounds = {
  min?: number | null | undefined;
  max?: number | null | undefined;
  log?: boolean | undefined;
  /** Zero may be left out where all values lie so close together that nothing could be told from them otherwise. */
  fit?: boolean | undefined;
};

/** Within this part of themselves values would be one straight line on an axis from zero. */
const flat = 0.01;

const isFlat = (lo: number | null, hi: number | null): lo is number =>
  lo !== null && hi !== null && hi > lo && lo * hi > 0 && hi - lo < flat * Math.abs(lo);

/** The ends of an axis. Zero belongs to it unless someone set the lower end. */
export function axisRange(lo: number | null, hi: number | null, { min, max, log, fit }: Bounds = {}): [number, number] {
  if (log) {
    const low = lo !== null && lo > 0 ? lo : 1;
    const high = hi !== null && hi > 0 ? Math.max(hi, low) : 10;
    const from = 10 ** Math.floor(Math.log10(min && min > 0 ? min : low));
    const to = 10 ** Math.ceil(Math.log10(max && max > 0 ? max : high));
    return [from, to > from ? to : from * 10];
  }
  if (fit && min == null && max == null && isFlat(lo, hi)) {
    const room = ((hi ?? lo) - lo) * 0.1;
    return [lo - room, (hi ?? lo) + room];
  }
  const low = min ?? Math.min(0, lo ?? 0);
  let high = max ?? Math.max(low, hi ?? 0, min == null ? 0 : low);
  if (max == null) high += (high - low) * 0.04;
  if (high <= low) high = low + (low === 0 ? 1 : Math.abs(low) * 0.1);
  const below = min == null && low < 0 ? low - (high - low) * 0.04 : low;
  return [below, high];
}

/** Where labels and grid lines go: four to six of them, or the powers of ten. */
export function axisSplits(from: number, to: number, log = false): number[] {
  if (log) {
    const out: number[] = [];
    const [a, b] = [Math.round(Math.log10(from)), Math.round(Math.log10(to))];
    const every = Math.max(1, Math.ceil((b - a) / 6));
    for (let p = a; p <= b; p += every) out.push(10 ** p);
    return out;
  }
  const most = 6;
  let step = niceStep((to - from) / most);
  while (Math.floor(to / step + 1e-9) - Math.ceil(from / step - 1e-9) >= most) step = niceStep(step * 1.01);
  const out: number[] = [];
  for (let v = Math.ceil(from / step - 1e-9) * step; v <= to + step * 1e-9; v += step) {
    out.push(Number(v.toPrecision(12)));
  }
  return out;
}

/**
 * The ends of a right axis whose round numbers lie on the grid of the left one. Where an end was set by someone, or
 * an axis does not begin at zero, there is no such axis, and it is what it would be alone.
 */
export function rightRange(left: [number, number], lo: number | null, hi: number | null, b: Bounds): [number, number] {
  const alone = axisRange(lo, hi, b);
  const [from, to] = alone;
  if (b.log || b.min != null || b.max != null || from !== 0 || left[0] !== 0) return alone;
  const [, step = left[1]] = axisSplits(0, left[1]);
  const steps = left[1] / step;
  return [0, niceStep((to / steps) * (1 - 1e-9)) * steps];
}

/** Threshold steps when dragging: a nice value about a hundredth of the axis. */
export const dragStep = (from: number, to: number) => niceStep((to - from) / 100);
