import { axisSplits } from "../chart/axis";
import type { Range } from "./counts";

/** Where an axis ends and whether it is logarithmic, as far as somebody said so. */
export type Ends = {
  min?: number | null | undefined;
  max?: number | null | undefined;
  log?: boolean | null | undefined;
  /** Values that are to be seen too, if they are not far from the others. */
  limits?: number[];
};

/** The values that an axis makes room for: a limit far beyond all values would press them flat. */
export function withLimits(limits: number[], lo: number, hi: number): [number, number] {
  const reach = Math.max(Math.abs(lo), Math.abs(hi));
  const near = limits.filter((v) => Math.abs(v) <= reach * 1.5);
  return [Math.min(lo, ...near), Math.max(hi, ...near)];
}

/**
 * An axis of values: low is at the bottom, 0, and high at the top, 1. A
 * logarithmic one begins with its least value, above the room that zero has
 * for itself where it is there.
 */
export type ValueAxis = Range & { log: boolean; least: number; room: number; at: (v: number) => number };

/** Values that are spread further than this are shown by powers. */
const wide = 10;

/** The axis for some ranges, the highest first. */
export function valueAxis(rows: Range[], { min, max, log: wanted, limits = [] }: Ends = {}): ValueAxis {
  const bottom = rows.at(-1)?.low ?? 0;
  // Down to zero would be endless on a logarithmic axis.
  const reached = limits.filter((v) => v > 0 || bottom < 0);
  const [lowest, highest] = withLimits(reached, bottom, rows[0]?.high ?? 1);
  const high = max ?? highest;
  const low = min ?? Math.min(lowest, high);
  const least = low > 0 ? low : (rows.findLast((r) => r.low > 0)?.low ?? 0);
  const log = low >= 0 && least > 0 && high > least && (wanted ?? high / least > wide);
  const within = (at: number) => Math.min(1, Math.max(0, at));
  if (!log) return { low, high, log, least: low, room: 0, at: (v) => within((v - low) / (high - low || 1)) };
  // Zero has no logarithm: its row is at the bottom, as high as another.
  const room = low === 0 ? 1 / (rows.length || 1) : 0;
  const powers = Math.log(high / least);
  const at = (v: number) => (v <= 0 ? 0 : within(room + (1 - room) * (Math.log(v / least) / powers)));
  return { low, high, log, least, room, at };
}

/** What people count in between a power of ten and the next, from many to few. */
const leads = [[1, 1.5, 2, 3, 4, 5, 6, 8], [1, 2, 5], [1, 3], [1]];

/** Those multiples of powers of ten that are on an axis. */
function powersOn({ least, high }: ValueAxis, lead: number[]): number[] {
  const out: number[] = [];
  for (let p = Math.floor(Math.log10(least)); 10 ** p <= high; p++)
    for (const n of lead) {
      const v = Number((n * 10 ** p).toPrecision(12));
      if (v >= least && v <= high) out.push(v);
    }
  return out;
}

/** Every other one, until they have room. */
function thinned(ticks: number[], most: number): number[] {
  const few = Math.max(2, most);
  return ticks.length <= few
    ? ticks
    : thinned(
        ticks.filter((_, i) => i % 2 === 0),
        few,
      );
}

/** Round values to write beside an axis, no more than have room. */
export function ticksOn(axis: ValueAxis, most: number): number[] {
  const { least, high, log, room } = axis;
  const zero = room > 0 ? [0] : [];
  const left = most - zero.length;
  if (!log) return thinned(axisSplits(least, high), left);
  const ticks = leads.map((lead) => powersOn(axis, lead));
  const fitting = ticks.find((t) => t.length <= left) ?? thinned(ticks.at(-1) ?? [], left);
  return [...zero, ...(fitting.length > 1 ? fitting : thinned(axisSplits(least, high), left))];
}
