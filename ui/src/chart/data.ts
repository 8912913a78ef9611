import type { RawSeries, Result } from "../api/query";
import type { Stream } from "../api/types";
import type { Window } from "../time/range";
import { bandLines, withoutBand } from "./band";
import { dashOf, type Paint, palette } from "./palette";
import { type Memory, newMemory, slots } from "./slots";
import { parseTransform } from "./transform";

/** A value, a gap (null), or nothing there but the line goes on (undefined). */
export type Cell = number | null | undefined;

/** One line of a chart, ready to be drawn but for its theme. */
export type Line = {
  key: string;
  label: string;
  /** The label is what a machine wrote: shown in monospace. */
  mono: boolean;
  unit: string;
  /** 0 left, 1 right. */
  axis: 0 | 1;
  paint: Paint;
  dash?: number[] | undefined;
  /** One of too many: thin and grey. */
  muted?: boolean;
  /** The key of a line: what is between the two is tinted. */
  bandTo?: string;
  /** It is a line of a band of many streams, and which. */
  summary?: string;
  stream: number;
  tags: Record<string, string>;
  values: Cell[];
};

export const tagKey = (tags: Record<string, string>) =>
  Object.entries(tags)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(" ");

/** The tags that series do not share. */
export function differing(all: RawSeries[]): ReadonlySet<string> {
  const [first, ...others] = all;
  const names = new Set<string>();
  for (const { tags } of others) {
    for (const name in tags) if (tags[name] !== first?.tags[name]) names.add(name);
    for (const name in first?.tags) if (!(name in tags)) names.add(name);
  }
  return names;
}

/** What tells a series apart from its neighbours: the tags they do not share. */
export function telling({ tags }: RawSeries, differ: ReadonlySet<string>): string {
  const own = Object.entries(tags).filter(([name]) => differ.has(name));
  if (own.length === 1) return own[0]?.[1] ?? "";
  return own.map(([name, value]) => `${name}=${value}`).join(" ");
}

/** Times of a window: the start of each bucket. */
export function times(w: Window): number[] {
  const n = Math.max(1, Math.round((w.end - w.start) / w.step));
  return Array.from({ length: n }, (_, i) => w.start + i * w.step);
}

/** Puts points onto the grid of a window. With gaps, more than two missing periods break the line. */
export function align(s: RawSeries, w: Window, gaps: boolean, period = w.step): Cell[] {
  const n = Math.max(1, Math.round((w.end - w.start) / w.step));
  const out = new Array<Cell>(n).fill(undefined);
  const tolerated = 2 * Math.max(period, w.step);
  let last: number | undefined;
  for (let i = 0; i < s.times.length; i++) {
    const t = s.times[i] ?? 0;
    const at = Math.floor((t - w.start) / w.step);
    if (at < 0 || at >= n) continue;
    out[at] = s.values[i] ?? undefined;
    if (gaps && last !== undefined && t - last > tolerated) out[at - 1] = null;
    last = t;
  }
  return out;
}

const enough = 200;

/** How far apart samples usually are: the middle one of the distances between the first ones. */
export function usualStep(times: ArrayLike<number>): number | undefined {
  const apart: number[] = [];
  for (let i = 1; i < Math.min(times.length, enough); i++) apart.push((times[i] ?? 0) - (times[i - 1] ?? 0));
  const [first] = apart;
  if (apart.every((d) => d === first)) return first; // nearly always: nothing to sort, in thousands of lines
  return apart.sort((a, b) => a - b)[Math.floor(apart.length / 2)];
}

const tooMany = 24;

/** The lines of a chart: its streams, with what the server found for each. Hidden ones keep their place. */
export function lines(streams: Stream[], results: Result[], w: Window, memory: Memory = newMemory()): Line[] {
  const alone = streams.filter((s) => s.type !== "annotation").length === 1;
  const all = streams.flatMap((stream, i) => {
    const result = results.find((r) => r.id === String(i));
    if (!result || stream.type === "annotation" || stream.hidden) return [];
    return streamLines(stream, i, result, w, alone, memory);
  });
  const plain = withoutBand(all);
  if (plain.length <= tooMany) return all;
  return [...all.filter((l) => l.summary), ...dimmed(plain, memory)];
}

/** What makes the groups of a stream other groups: those of an earlier draft must not keep their colours from these. */
export const grouping = (s: Stream) =>
  `${s.metric ?? s.composite}|${s.group_function ?? ""}|${JSON.stringify(s.tags ?? [])}`;

function streamLines(s: Stream, i: number, r: Result, w: Window, alone: boolean, memory: Memory): Line[] {
  const apart = r.series.filter((raw) => !raw.summary);
  const sorted = apart.map((raw) => ({ raw, group: tagKey(raw.tags) })).sort((a, b) => (a.group < b.group ? -1 : 1));
  const banded = apart.length < r.series.length;
  const memoryKey = `${i}|${r.asked ?? grouping(s)}${banded ? "|band" : ""}`;
  const order = slots(
    memory.places.get(memoryKey) ?? [],
    sorted.map((x) => x.group),
  );
  memory.places.set(memoryKey, order);
  const places = new Map(order.map((group, place) => [group, place]));
  const telltale = sorted.length > 1 ? differing(apart) : ownNames(s, apart, alone);
  const transform = s.transform_function ? parseTransform(s.transform_function) : undefined;
  const known = s.period ?? r.period;
  const valuesOf = (raw: RawSeries) => {
    const period = known ?? usualStep(raw.times) ?? w.step;
    const values = align(raw, w, s.gap_detection ?? false, period);
    return transform ? values.map((v) => (v == null ? v : transform(v, Math.max(period, w.step)))) : values;
  };
  const common = { unit: s.units_short ?? "", axis: s.split_axis ? 1 : 0, stream: i } as const;
  const name = s.name || (alone ? "" : (s.metric ?? ""));
  const band = banded ? bandLines(r.series, { ...common, name, streams: r.streams }, valuesOf) : [];
  const own = sorted.map(({ raw, group }) => ({
    key: `${i}|${group}|${raw.metric ?? ""}`,
    ...label(s, raw, telltale, alone),
    ...common,
    ...paintOf(s, i, places.get(group) ?? -1, alone),
    tags: raw.tags,
    values: valuesOf(raw),
  }));
  return [...band, ...own];
}

/** The only line of a chart whose stream has no name is called by all its tags. */
const ownNames = (s: Stream, [only]: RawSeries[], alone: boolean): ReadonlySet<string> =>
  new Set(alone && !s.name && only ? Object.keys(only.tags) : []);

/** A line is called by what tells it apart: its tags among groups, its metric among metrics. */
function label(s: Stream, raw: RawSeries, telltale: ReadonlySet<string>, alone: boolean) {
  const tags = telling(raw, telltale);
  if (!tags) return { label: s.name || raw.metric || s.metric || "composite", mono: !s.name };
  const first = s.name || (alone ? "" : (s.metric ?? ""));
  return { label: first ? `${first} ${tags}` : tags, mono: true };
}

function paintOf(s: Stream, i: number, place: number, alone: boolean): { paint: Paint; dash?: number[] | undefined } {
  const step = place % palette.length;
  if (s.color) return { paint: { hex: s.color, ...(step && { step }) }, dash: dashOf(place) };
  if (alone) return { paint: { slot: step }, dash: dashOf(place) };
  return { paint: { slot: i % palette.length, step }, dash: place >= palette.length ? dashOf(place) : dashOf(i) };
}

/** The last value of a line that is there, leaving out the bucket that is being filled. */
export function lastValue(values: Cell[], incomplete = false): number | null {
  for (let i = values.length - (incomplete ? 2 : 1); i >= 0; i--) {
    const v = values[i];
    if (v != null) return v;
  }
  return null;
}

/**
 * The value that a line has now, as opposed to the last it had: null where it
 * has been silent for much longer than between any of its last samples.
 */
export function currentValue(values: Cell[], incomplete = false): number | null {
  const end = values.length - (incomplete ? 2 : 1);
  const at: number[] = [];
  for (let i = end; i >= 0 && at.length < 8; i--) if (values[i] != null) at.push(i);
  const [last] = at;
  if (last === undefined) return null;
  const widest = Math.max(0, ...at.slice(1).map((i, n) => (at[n] ?? i) - i));
  return widest > 0 && end - last > 2 * widest + 2 ? null : (values[last] ?? null);
}

/** Of too many lines the highest are coloured, and stay so: which ones does not change with every tick. */
function dimmed(all: Line[], memory: Memory): Line[] {
  const last = (l: Line) => lastValue(l.values) ?? Number.NEGATIVE_INFINITY;
  const there = new Set(all.map((l) => l.key));
  const kept = memory.coloured.filter((k) => there.has(k));
  const next = all
    .filter((l) => !kept.includes(l.key))
    .map((l) => ({ key: l.key, last: last(l) }))
    .sort((a, b) => b.last - a.last);
  memory.coloured = [...kept, ...next.map((l) => l.key)].slice(0, palette.length);
  return all.map((l) => {
    const slot = memory.coloured.indexOf(l.key);
    return slot >= 0
      ? { ...l, paint: { slot }, dash: undefined }
      : { ...l, paint: { slot: palette.length - 1 }, dash: undefined, muted: true };
  });
}

export type Stats = {
  last: number | null;
  min: number | null;
  max: number | null;
  mean: number | null;
  sum: number | null;
};

const spreads = new WeakMap<object, number>();

/** How far the values of a line reach. Counted once for what was loaded. */
export function spreadOf({ values }: Pick<Line, "values">): number {
  let spread = spreads.get(values);
  if (spread === undefined) {
    const { min, max } = stats(values);
    spread = (max ?? 0) - (min ?? 0);
    spreads.set(values, spread);
  }
  return spread;
}

export function stats(values: Cell[]): Stats {
  const there = values.filter((v): v is number => v != null);
  if (there.length === 0) return { last: null, min: null, max: null, mean: null, sum: null };
  const sum = there.reduce((a, b) => a + b, 0);
  return {
    last: there[there.length - 1] ?? null,
    min: there.reduce((a, b) => Math.min(a, b)),
    max: there.reduce((a, b) => Math.max(a, b)),
    mean: sum / there.length,
    sum,
  };
}
