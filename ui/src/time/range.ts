import { clock, day, weekday } from "../lib/format";
import { type Viewer, viewer } from "../lib/viewer";
import { atWall, isDay, wall } from "./wall";

/** A range as the address has it: "-6h", "today", seconds, or empty for now. */
export type Range = { from: string; to: string };
/** The same in seconds, on the grid of its resolution; end is exclusive. */
export type Window = { start: number; end: number; step: number };

export const defaultRange: Range = { from: "-6h", to: "" };

export const presets: { label: string; short: string; range: Range; key: string }[] = [
  { label: "Last 15 minutes", short: "Last 15 min", range: { from: "-15m", to: "" }, key: "1" },
  { label: "Last hour", short: "Last 1 h", range: { from: "-1h", to: "" }, key: "2" },
  { label: "Last 6 hours", short: "Last 6 h", range: { from: "-6h", to: "" }, key: "3" },
  { label: "Last 24 hours", short: "Last 24 h", range: { from: "-24h", to: "" }, key: "4" },
  { label: "Last 3 days", short: "Last 3 d", range: { from: "-3d", to: "" }, key: "5" },
  { label: "Last 7 days", short: "Last 7 d", range: { from: "-7d", to: "" }, key: "6" },
  { label: "Last 30 days", short: "Last 30 d", range: { from: "-30d", to: "" }, key: "7" },
  { label: "Last 90 days", short: "Last 90 d", range: { from: "-90d", to: "" }, key: "8" },
  { label: "Today", short: "Today", range: { from: "today", to: "" }, key: "T" },
  { label: "Yesterday", short: "Yesterday", range: { from: "yesterday", to: "today" }, key: "Y" },
];

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800, y: 365 * 86400 };
const relativeTime = /^-?(\d+(?:\.\d+)?) ?([smhdwy])$/;

const hour = 3600;
const dayLength = 86400;

/** The resolution that a range of this many seconds is shown in. */
export function resolutionFor(seconds: number): number {
  const table: [number, number][] = [
    [20 * 60, 1],
    [2 * hour, 10],
    [12 * hour, 60],
    [2 * dayLength, 300],
    [7 * dayLength, 900],
    [31 * dayLength, hour],
    [183 * dayLength, 6 * hour],
  ];
  return table.find(([upTo]) => seconds <= upTo)?.[1] ?? dayLength;
}

/** A time as addresses have it: "-36h", "now", "today", "2026-11-09", or seconds since 1970. */
export function parseAddress(text: string, now: number, { zone }: Viewer = viewer()): number | undefined {
  if (text === "" || text === "now") return now;
  const relative = relativeTime.exec(text);
  if (relative) return now - Number(relative[1]) * (units[relative[2] ?? "s"] ?? 1);
  if (/^\d{9,11}$/.test(text)) return Number(text);
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)?.slice(1).map(Number);
  if (iso) {
    const [y = 0, mo = 0, d = 0] = iso;
    return isDay(y, mo, d) ? atWall(y, mo, d, 0, zone) : undefined;
  }
  if (text !== "today" && text !== "yesterday") return undefined;
  const w = wall(now, zone);
  return atWall(w.y, w.mo, w.d - (text === "yesterday" ? 1 : 0), 0, zone);
}

/** Whether the range ends now and moves with the clock. */
export const isLive = (r: Range) => r.to === "" || r.to === "now";
const isRelative = (s: string) => !/^\d{9,11}$/.test(s);

/** A range in seconds. What cannot be read is the default range. */
export function resolve(r: Range, now: number, who: Viewer = viewer()): { start: number; end: number } {
  const end = parseAddress(r.to, now, who);
  const start = parseAddress(r.from || defaultRange.from, now, who);
  if (start === undefined || end === undefined || start >= end) return { start: now - 6 * hour, end: now };
  return { start, end };
}

/** A range on the grid of its resolution. The bucket that is being filled is the last one. */
export function windowOf(r: Range, now: number, who: Viewer = viewer(), minStep = 1): Window {
  const { start, end } = resolve(r, now, who);
  const res = Math.max(resolutionFor(end - start), minStep);
  const first = Math.floor(start / res) * res;
  const last = Math.ceil(end / res) * res;
  return { start: first, end: Math.max(last, first + res), step: res };
}

/** A range of fixed times. */
export const absolute = (start: number, end: number): Range => ({
  from: String(Math.round(start)),
  to: String(Math.round(end)),
});

const names: Record<string, string> = { s: "second", m: "minute", h: "hour", d: "day", w: "week", y: "year" };

/** "Last 6 hours", "Sun 15 Nov, 08:00 – 09:00", or "9 Nov 2026, 08:00 – 13 Nov 2026, 18:00". */
export function label(r: Range, now: number, who: Viewer = viewer()): string {
  const preset = presets.find((p) => p.range.from === r.from && p.range.to === r.to);
  if (preset) return preset.label;
  const relative = relativeTime.exec(r.from);
  if (relative && isLive(r)) {
    const name = names[relative[2] ?? ""] ?? "";
    return Number(relative[1]) === 1 ? `Last ${name}` : `Last ${relative[1]} ${name}s`;
  }
  const { start, end } = resolve(r, now, who);
  const [first, last, present] = [start, end, now].map((t) => wall(t, who.zone));
  const near = end - start < 6 * dayLength && first?.y === present?.y && last?.y === present?.y;
  const sameDay = day(start, who) === day(end, who);
  const name = near ? weekday : day;
  return `${name(start, who)}, ${clock(start, who)} – ${sameDay ? "" : `${name(end, who)}, `}${clock(end, who)}`;
}

export const shortLabel = (r: Range, now: number, who: Viewer = viewer()) =>
  presets.find((p) => p.range.from === r.from && p.range.to === r.to)?.short ?? label(r, now, who);

/** The range that two texts ask for; what was typed relative to now stays relative. */
export function typedRange(from: string, to: string, start: number, end: number): Range {
  const [first, last] = [from.trim().toLowerCase(), to.trim().toLowerCase()];
  if (!relativeTime.test(first) || (last !== "" && last !== "now")) return absolute(start, end);
  return { from: `-${first.replace(/^-/, "").replace(" ", "")}`, to: "" };
}

/** Half a range earlier or later; never beyond now. */
export function shift(r: Range, direction: -1 | 1, now: number, who: Viewer = viewer()): Range {
  const { start, end } = resolve(r, now, who);
  const by = ((end - start) / 2) * direction;
  if (end + by >= now) return isRelative(r.from) && isLive(r) ? r : absolute(now - (end - start), now);
  return absolute(start + by, end + by);
}

/** Twice as long around the same middle, ending now at the latest. */
export function zoomOut(r: Range, now: number, who: Viewer = viewer()): Range {
  const { start, end } = resolve(r, now, who);
  const length = end - start;
  const to = Math.min(now, end + length / 2);
  return absolute(to - length * 2, to);
}
