import { clock, dayAndClock, weekday } from "../lib/format";
import { type Viewer, viewer } from "../lib/viewer";

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

const units: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86400, w: 604800 };
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

/** What the clock on the wall shows in a zone at a time. */
function wall(at: number, zone: string): { y: number; mo: number; d: number; weekday: number; secs: number } {
  const f = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  const p = Object.fromEntries(f.formatToParts(at * 1000).map((x) => [x.type, Number(x.value)])) as Record<
    string,
    number
  >;
  const [y = 0, mo = 1, d = 1] = [p.year, p.month, p.day];
  return {
    y,
    mo,
    d,
    weekday: new Date(Date.UTC(y, mo - 1, d)).getUTCDay(),
    secs: (p.hour ?? 0) * hour + (p.minute ?? 0) * 60 + (p.second ?? 0),
  };
}

/** The time at which the clock in a zone shows this. Days may overflow, as in Date.UTC. */
export function atWall(y: number, mo: number, d: number, secs: number, zone: string): number {
  const naive = Date.UTC(y, mo - 1, d) / 1000 + secs;
  const offset = (t: number) => {
    const w = wall(t, zone);
    return Date.UTC(w.y, w.mo - 1, w.d) / 1000 + w.secs - Math.floor(t);
  };
  const first = naive - offset(naive);
  return naive - offset(first);
}

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

function clockSecs(text: string | undefined): number | undefined {
  const m = /^(\d{1,2})(?::(\d{2})(?::(\d{2}))?)?\s*(am|pm)?$/.exec(text ?? "0:00");
  if (!m) return undefined;
  let h = Number(m[1]);
  if (m[4] === "pm" && h < 12) h += 12;
  if (m[4] === "am" && h === 12) h = 0;
  const [min, s] = [Number(m[2] ?? 0), Number(m[3] ?? 0)];
  return h < 24 && min < 60 && s < 60 ? h * hour + min * 60 + s : undefined;
}

/**
 * Reads what people type for a time: "-36h", "now", "today", "mon 9:00",
 * "9 Nov 2026, 08:00", "2026-11-09 08:00", "9:00", or seconds since 1970.
 */
export function parseMoment(input: string, now: number, who: Viewer = viewer()): number | undefined {
  const text = input.trim().toLowerCase().replace(/\s+/g, " ");
  if (text === "" || text === "now") return now;
  const relative = /^-?(\d+(?:\.\d+)?) ?(s|m|h|d|w)$/.exec(text);
  if (relative) return now - Number(relative[1]) * (units[relative[2] ?? "s"] ?? 1);
  if (/^\d{9,11}$/.test(text)) return Number(text);
  return parseWall(text, now, who);
}

function parseWall(text: string, now: number, { zone }: Viewer): number | undefined {
  const w = wall(now, zone);
  const named = /^([a-z]{3,9})(?:,? (.+))?$/.exec(text);
  if (named) {
    const secs = clockSecs(named[2]);
    const word = named[1] ?? "";
    const back =
      word === "today" ? 0 : word === "yesterday" ? 1 : (w.weekday - weekdays.indexOf(word.slice(0, 3)) + 7) % 7;
    const known = word === "today" || word === "yesterday" || weekdays.includes(word.slice(0, 3));
    return known && secs !== undefined ? atWall(w.y, w.mo, w.d - back, secs, zone) : undefined;
  }
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[ t](.+))?$/.exec(text);
  if (iso) return dated(Number(iso[1]), Number(iso[2]), Number(iso[3]), iso[4], zone);
  const written = /^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?(?:,? (\d{4}))?(?:,? (.+))?$/.exec(text);
  if (written) {
    const mo = months.indexOf(written[2] ?? "") + 1;
    return dated(Number(written[3] ?? w.y), mo, Number(written[1]), written[4], zone);
  }
  const secs = clockSecs(text);
  return secs === undefined ? undefined : atWall(w.y, w.mo, w.d, secs, zone);
}

function dated(y: number, mo: number, d: number, time: string | undefined, zone: string): number | undefined {
  const secs = clockSecs(time?.trim() || undefined);
  return mo >= 1 && mo <= 12 && d >= 1 && d <= 31 && secs !== undefined ? atWall(y, mo, d, secs, zone) : undefined;
}

/** Whether the range ends now and moves with the clock. */
export const isLive = (r: Range) => r.to === "" || r.to === "now";
const isRelative = (s: string) => !/^\d{9,11}$/.test(s);

/** A range in seconds. What cannot be read is the default range. */
export function resolve(r: Range, now: number, who: Viewer = viewer()): { start: number; end: number } {
  const end = parseMoment(r.to, now, who);
  const start = parseMoment(r.from || defaultRange.from, now, who);
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

const names: Record<string, string> = { s: "second", m: "minute", h: "hour", d: "day", w: "week" };

/** "Last 6 hours", or "9 Nov 2026, 08:00 – 13 Nov 2026, 18:00". */
export function label(r: Range, now: number, who: Viewer = viewer()): string {
  const preset = presets.find((p) => p.range.from === r.from && p.range.to === r.to);
  if (preset) return preset.label;
  const relative = /^-(\d+)(s|m|h|d|w)$/.exec(r.from);
  if (relative && isLive(r)) {
    const name = names[relative[2] ?? ""] ?? "";
    return Number(relative[1]) === 1 ? `Last ${name}` : `Last ${relative[1]} ${name}s`;
  }
  const { start, end } = resolve(r, now, who);
  const sameDay = weekday(start, who) === weekday(end, who) && end - start < dayLength;
  if (end - start < 6 * dayLength)
    return `${weekday(start, who)}, ${clock(start, who)} – ${sameDay ? "" : `${weekday(end, who)}, `}${clock(end, who)}`;
  return `${dayAndClock(start, who)} – ${dayAndClock(end, who)}`;
}

export const shortLabel = (r: Range, now: number, who: Viewer = viewer()) =>
  presets.find((p) => p.range.from === r.from && p.range.to === r.to)?.short ?? label(r, now, who);

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
