import type { ChartAttributes, ChartDraft, ChartKind, ChartType, Stream } from "../../api/types";
import { hasSeries, kindOf } from "../../chart/kind";
import { keptFor } from "../../lib/org";
import { sameText } from "../../lib/tagOf";
import { bandProblem, isWhole, longestText } from "./problems";

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
export function isBlank(d: ChartDraft): boolean {
  const kind = kindOf(d);
  if (kind === "text") return !d.attributes?.text?.trim();
  return hasSeries(kind) && d.streams.every(emptyStream);
}

/** What clients that know types alone draw of a kind. */
const nearest: Partial<Record<ChartKind, ChartType>> = { bar: "stacked", gauge: "bignumber" };

/** The change that makes a chart one of another kind. */
export function ofKind(d: ChartDraft, kind: ChartKind): Partial<ChartDraft> {
  const isType = kind === "line" || kind === "stacked" || kind === "bignumber";
  const type = isType ? kind : (nearest[kind] ?? "line");
  return { type, attributes: { ...d.attributes, kind: isType ? null : kind } };
}

/** What the rows of a heatmap are. One that becomes a distribution shows all there is to it, unless it says what. */
export function withRows(rows: NonNullable<ChartAttributes["rows"]>, a: ChartAttributes = {}): ChartAttributes {
  if (rows !== "distribution") return { rows };
  return { rows, layers: a.layers ?? "both", color_scale: a.color_scale ?? "sqrt" };
}

/** The change that repeats a chart by a tag: its streams are kept apart by it. */
export function repeatBy(d: ChartDraft, tag: string): Partial<ChartDraft> {
  const apart = (s: Stream): Stream => {
    if (!tag || !s.metric || s.type === "annotation") return s;
    const [own, others] = [
      (s.tags ?? []).find((t) => sameText(t.name, tag)),
      (s.tags ?? []).filter((t) => !sameText(t.name, tag)),
    ];
    return { ...s, tags: [...others, { name: tag, ...own, grouped: true }] };
  };
  return { streams: d.streams.map(apart), attributes: { ...d.attributes, repeat: tag || null } };
}

export const emptyStream = (s: Stream) => !s.metric && !s.composite;

/** What is sent: rows without anything are left out, ids and places are the server's. */
export function payload(d: ChartDraft): ChartDraft {
  const streams = d.streams.filter((s) => !emptyStream(s)).map(({ position: _, ...s }) => s);
  return { ...d, name: d.name.trim(), streams, thresholds: d.thresholds?.length ? d.thresholds : null };
}

const noNumber = (v: number | null | undefined) => v != null && !Number.isFinite(v);

/** Whether a field holds something else than a number; it says so itself. A draft that was kept has null there. */
export const hasBadNumber = (d: ChartDraft) =>
  noNumber(d.min) ||
  noNumber(d.max) ||
  d.streams.some((s) => noNumber(s.min) || noNumber(s.max)) ||
  [d, ...d.streams].some((of) => (of.thresholds ?? []).some((t) => !Number.isFinite(t.value))) ||
  (d.attributes?.bands ?? []).some((b) => !Number.isFinite(b.from) || !Number.isFinite(b.to));

/** Why a draft cannot be saved, beside what its streams say; nothing where it can. */
export function unready(d: ChartDraft): string | undefined {
  const { text, bands, links, top } = d.attributes ?? {};
  if (isBlank(d))
    return kindOf(d) === "text" ? "Write something first." : "Choose a metric or write a composite first.";
  if (text && text.length > longestText) return "The text is too long.";
  if (hasBadNumber(d)) return "A number is missing.";
  if (bands?.some(bandProblem)) return "A band ends before it begins.";
  if (links?.some((l) => !isWhole(l))) return "A link needs a title and an address.";
  if (top != null && !(Number.isInteger(top) && top >= 1 && top <= 1000)) return "Rows must be between 1 and 1,000.";
  return undefined;
}

/** What can be drawn of a draft. */
export const drawable = (d: ChartDraft): ChartDraft => ({
  ...d,
  ...(noNumber(d.min) && { min: null }),
  ...(noNumber(d.max) && { max: null }),
  thresholds: d.thresholds?.filter((t) => Number.isFinite(t.value)) ?? null,
  ...(d.attributes?.bands && {
    attributes: { ...d.attributes, bands: d.attributes.bands.filter((b) => b.from < b.to) },
  }),
  streams: d.streams.map((s) => (noNumber(s.min) || noNumber(s.max) ? ended(s, {}) : s)),
});

/** The draft as the server would take it, to see whether something differs. */
export const same = (a: ChartDraft, b: ChartDraft) =>
  JSON.stringify(sorted({ attributes: {}, ...payload(a) })) ===
  JSON.stringify(sorted({ attributes: {}, ...payload(b) }));

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
