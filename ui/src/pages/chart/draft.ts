import type { ChartDraft, Stream } from "../../api/types";
import { keptFor } from "../../lib/org";

export const empty: ChartDraft = { name: "", type: "line", streams: [], thresholds: null };

/** The name of a row: A, B, C … Z, AA. */
export function letter(i: number): string {
  return i < 26 ? String.fromCharCode(65 + i) : letter(Math.floor(i / 26) - 1) + letter(i % 26);
}

/** Changes one stream; what is set to undefined goes away. */
export function patchStream(
  streams: Stream[],
  i: number,
  patch: { [K in keyof Stream]?: Stream[K] | undefined },
): Stream[] {
  return streams.map((s, n) => {
    if (n !== i) return s;
    const next = { ...s, ...patch };
    return Object.fromEntries(Object.entries(next).filter(([, v]) => v !== undefined)) as Stream;
  });
}

export function moveStream(streams: Stream[], from: number, to: number): Stream[] {
  if (to < 0 || to >= streams.length) return streams;
  const next = [...streams];
  const [taken] = next.splice(from, 1);
  if (taken) next.splice(to, 0, taken);
  return next;
}

/** Nothing was chosen yet. */
export const isBlank = (d: ChartDraft) => d.streams.every(emptyStream);

export const emptyStream = (s: Stream) => !s.metric && !s.composite;

/** What is sent: rows without anything are left out, ids and places are the server's. */
export function payload(d: ChartDraft): ChartDraft {
  const streams = d.streams.filter((s) => !emptyStream(s)).map(({ position: _, ...s }) => s);
  return { ...d, name: d.name.trim(), streams, thresholds: d.thresholds?.length ? d.thresholds : null };
}

const noNumber = (v: number | null | undefined) => v != null && !Number.isFinite(v);

/** Whether a field holds something else than a number; it says so itself. A draft that was kept has null there. */
export const hasBadNumber = (d: ChartDraft) =>
  d.type === "bignumber"
    ? (d.thresholds ?? []).some((t) => !Number.isFinite(t.value))
    : noNumber(d.min) || noNumber(d.max) || d.streams.some((s) => noNumber(s.min) || noNumber(s.max));

/** What can be drawn of a draft. */
export const drawable = (d: ChartDraft): ChartDraft => ({
  ...d,
  ...(noNumber(d.min) && { min: null }),
  ...(noNumber(d.max) && { max: null }),
  streams: d.streams.map((s) => (noNumber(s.min) || noNumber(s.max) ? ended(s, {}) : s)),
});

/** The draft as the server would take it, to see whether something differs. */
export const same = (a: ChartDraft, b: ChartDraft) =>
  JSON.stringify(sorted(payload(a))) === JSON.stringify(sorted(payload(b)));

function sorted(v: unknown): unknown {
  if (Array.isArray(v)) return v.map(sorted);
  if (v === null || typeof v !== "object") return v ?? null;
  return Object.fromEntries(
    Object.entries(v)
      .filter(([, x]) => x !== undefined && x !== null)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, x]) => [k, sorted(x)]),
  );
}

export const units: [string, string, string][] = [
  ["", "none", ""],
  ["ms", "milliseconds (ms)", "milliseconds"],
  ["s", "seconds (s)", "seconds"],
  ["%", "percent (%)", "percent"],
  ["/s", "per second (/s)", "per second"],
  ["/min", "per minute (/min)", "per minute"],
  ["B", "bytes (B)", "bytes"],
  ["B/s", "bytes per second (B/s)", "bytes per second"],
  ["°C", "degrees (°C)", "degrees"],
  ["jobs", "jobs", "jobs"],
];

/** Options of a unit choice, with the one in use even if it is not a usual one. */
export function unitOptions(current: string): { value: string; label: string }[] {
  const known = units.map(([value, label]) => ({ value, label }));
  return known.some((u) => u.value === current) ? known : [...known, { value: current, label: current }];
}

/** The unit of all streams of one axis, if they agree. */
export function axisUnit(streams: Stream[], right: boolean): string {
  const own = streams.filter((s) => Boolean(s.split_axis) === right && s.type !== "annotation");
  const set = new Set(own.map((s) => s.units_short ?? ""));
  return set.size === 1 ? ([...set][0] ?? "") : "";
}

export function setAxisUnit(streams: Stream[], right: boolean, unit: string): Stream[] {
  return streams.map((s) => {
    if (Boolean(s.split_axis) !== right || s.type === "annotation") return s;
    const { units_short: _, units_long: __, ...rest } = s;
    return unit ? { ...rest, units_short: unit } : rest;
  });
}

type Ends = { min?: number | null; max?: number | null };

/** A stream with these ends of its axis, and no others. */
function ended({ min: _, max: __, ...rest }: Stream, { min, max }: Ends): Stream {
  return { ...rest, ...(min != null && { min }), ...(max != null && { max }) };
}

/** The ends of the right axis: the API keeps them with the streams on it. */
export function rightEnds(streams: Stream[]): { min: number | null; max: number | null } {
  const first = streams.find((s) => s.split_axis);
  return { min: first?.min ?? null, max: first?.max ?? null };
}

export const setRightEnds = (streams: Stream[], ends: Ends): Stream[] =>
  streams.map((s) => (s.split_axis ? ended(s, { ...rightEnds(streams), ...ends }) : s));

/** A draft, and the version that it was begun with: 0 for a new chart. */
export type KeptDraft = { draft: ChartDraft; version: number };

const store = (key: string) => `tidemark.draft.${keptFor()}.${key}`;

/** Drafts live on this device until they are saved or discarded. */
export const drafts = {
  read(key: string): KeptDraft | undefined {
    try {
      const text = sessionStorage.getItem(store(key));
      return text ? (JSON.parse(text) as KeptDraft) : undefined;
    } catch {
      return undefined;
    }
  },
  write: (key: string, d: KeptDraft) => sessionStorage.setItem(store(key), JSON.stringify(d)),
  drop: (key: string) => sessionStorage.removeItem(store(key)),
};
