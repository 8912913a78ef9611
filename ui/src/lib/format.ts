import { type Viewer, viewer } from "./viewer";

/** Between a value and its unit: no line break. The narrow one is hardly to be seen at 12 px. */
const thin = "\u00a0";
const minus = "\u2212";

const formats = new Map<string, Intl.NumberFormat>();
function digits(locale: string | undefined, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale}|${JSON.stringify(options)}`;
  let f = formats.get(key);
  if (!f) {
    f = new Intl.NumberFormat(locale, options);
    formats.set(key, f);
  }
  return f;
}

const steps: [number, string][] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
];

function plain(v: number, locale: string | undefined): string {
  const whole = Math.abs(v) >= 1000;
  return digits(locale, whole ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 })
    .format(v)
    .replace("-", minus);
}

const scientific = (v: number, locale: string | undefined, most: number) =>
  digits(locale, { notation: "scientific", maximumSignificantDigits: most }).format(v).replace("-", minus);

/** From here on a value has more digits than anybody reads. */
const huge = 1e15;

/** Splits a value into its digits and its scale: 18240 is "18.2" and "k". */
function scaled(v: number, from: number, locale: string | undefined): [string, string] {
  const size = Math.abs(v);
  if (size >= huge || (size > 0 && size < 1e-4)) return [scientific(v, locale, 3), ""];
  if (size >= from) {
    for (const [by, letter] of steps) if (size >= by * 0.9995) return [plain(v / by, locale), letter];
  }
  return [plain(v, locale), ""];
}

/** 1,525 and 0.42 and 5.7 M: three digits that count, scaled from 10,000 on. */
export function number(v: number | null | undefined, { locale }: Viewer = viewer()): string {
  if (v == null || !Number.isFinite(v)) return "–";
  const [text, letter] = scaled(v, 10_000, locale);
  return letter ? `${text}${thin}${letter}` : text;
}

/** Digits and unit apart, for big numbers. */
export function parts(v: number, unit: string, { locale }: Viewer = viewer()): { digits: string; unit: string } {
  if (isBytes(unit)) {
    const [text, letter] = scaled(v, 1000, locale);
    return { digits: text, unit: letter + inBytes(unit) };
  }
  const [text, letter] = scaled(v, 10_000, locale);
  return {
    digits: text,
    unit: [letter, unit].filter(Boolean).join(letter && unit && !unit.startsWith("/") ? thin : ""),
  };
}

/** "312 ms", "0.42 %", "1,525/s", "18.2 kB". */
export function value(v: number | null | undefined, unit = "", who: Viewer = viewer()): string {
  if (v == null || !Number.isFinite(v)) return "–";
  const p = parts(v, unit, who);
  if (!p.unit) return p.digits;
  return p.unit.startsWith("/") ? p.digits + p.unit : p.digits + thin + p.unit;
}

/** Closer together than this, three digits do not tell values apart. */
const close = 0.01;

/** A value among others that reach this far: with as many digits as tell it from them. */
export function among(v: number | null | undefined, spread: number, unit = "", who: Viewer = viewer()): string {
  const size = Math.abs(v ?? 0);
  if (v == null || !(spread > 0) || spread >= size * close || size >= huge) return value(v, unit, who);
  const most = Math.min(12, Math.ceil(Math.log10(size / spread)) + 2);
  // Nobody counts the digits of bytes.
  const [by, letter] = (isBytes(unit) && steps.find(([n]) => size >= n)) || [1, ""];
  const text = digits(who.locale, { maximumSignificantDigits: most })
    .format(v / by)
    .replace("-", minus);
  return text + (unit.startsWith("/") || !unit ? unit : thin + (letter ? letter + inBytes(unit) : unit));
}

/**
 * A value somebody chose, in all its digits: "5,000 jobs", "2 GB". It is
 * rounded and scaled only where that loses none of them.
 */
export function chosen(v: number, unit = "", who: Viewer = viewer()): string {
  const size = Math.abs(v);
  const by = size >= (isBytes(unit) ? 1000 : 10_000) ? (steps.find(([n]) => size >= n)?.[0] ?? 1) : 1;
  if (size >= 1000 && by === 1 ? Number.isInteger(v) : Number((v / by).toPrecision(3)) === v / by)
    return value(v, unit, who);
  const all =
    size >= huge
      ? scientific(v, who.locale, 15)
      : digits(who.locale, { maximumSignificantDigits: 15 }).format(v).replace("-", minus);
  return all + (unit.startsWith("/") || !unit ? unit : thin + unit);
}

function isBytes(unit: string): boolean {
  return unit === "B" || unit === "bytes" || unit.startsWith("B/") || unit.startsWith("bytes/");
}

/** "B/s", also of "bytes/s". */
const inBytes = (unit: string) => unit.replace(/^bytes/, "B");

/** A difference with its sign: "+4 %", "−0.1". */
export function signed(v: number, unit = "", who: Viewer = viewer()): string {
  return (v > 0 ? "+" : "") + value(v, unit, who);
}

/** How many: 12,846, never rounded or scaled. */
export const whole = (n: number, { locale }: Viewer = viewer()): string =>
  digits(locale, { maximumFractionDigits: 0 }).format(n);

export function count(n: number, one: string, many = `${one}s`, who: Viewer = viewer()): string {
  return `${whole(n, who)} ${n === 1 ? one : many}`;
}

/** How long an answer took: "41 ms", "1,204 ms", "12 s". */
export const took = (ms: number): string => (ms < 10_000 ? value(Math.max(1, ms), "ms") : duration(ms / 1000));

/** The shortest way to write a value, for an axis: "1.5k". */
export const squeezed = (v: number, { locale }: Viewer = viewer()): string => scaled(v, 1000, locale).join("");

/** "18 min", "2 h 4 min", "3 days". */
export function duration(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  const min = Math.floor(s / 60);
  if (min < 60) return `${min} min`;
  const h = Math.floor(min / 60);
  if (h < 24) return min % 60 ? `${h} h ${min % 60} min` : `${h} h`;
  const d = Math.floor(h / 24);
  const days = d === 1 ? "1 day" : `${d} days`;
  return d < 7 && h % 24 ? `${days} ${h % 24} h` : days;
}

/** A step of time as a word: 60 is "1 min". */
export function step(seconds: number): string {
  if (seconds % 86400 === 0) return `${seconds / 86400} d`;
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  if (seconds % 60 === 0) return `${seconds / 60} min`;
  return `${seconds} s`;
}

const dates = new Map<string, Intl.DateTimeFormat>();
function date(at: number, { locale, zone }: Viewer, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale}|${zone}|${JSON.stringify(options)}`;
  let f = dates.get(key);
  if (!f) {
    // The calendars of the interface are Gregorian, whatever the locale's own is.
    f = new Intl.DateTimeFormat(locale, { timeZone: zone, calendar: "gregory", ...options });
    dates.set(key, f);
  }
  return f.format(at * 1000);
}

/** "14:08" */
export const clock = (at: number, who: Viewer = viewer()) => date(at, who, { hour: "2-digit", minute: "2-digit" });
/** "14:08:09" */
export const clockSeconds = (at: number, who: Viewer = viewer()) =>
  date(at, who, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
/** "3 Feb 2026" */
export const day = (at: number, who: Viewer = viewer()) =>
  date(at, who, { day: "numeric", month: "short", year: "numeric" });
/** "7 Nov" */
export const dayAndMonth = (at: number, who: Viewer = viewer()) => date(at, who, { day: "numeric", month: "short" });
/** "Thu 12 Nov" */
export const weekday = (at: number, who: Viewer = viewer()) =>
  date(at, who, { weekday: "short", day: "numeric", month: "short" }).replace(/^(\p{L}+),/u, "$1");
/** "Saturday 21 November", to be spoken */
export const longDay = (at: number, who: Viewer = viewer()) =>
  date(at, who, { weekday: "long", day: "numeric", month: "long" });
/** "9 Nov 2026, 08:00" */
export const dayAndClock = (at: number, who: Viewer = viewer()) => `${day(at, who)}, ${clock(at, who)}`;
/** "Sun 15 Nov, 11:48" */
export const weekdayAndClock = (at: number, who: Viewer = viewer()) => `${weekday(at, who)}, ${clock(at, who)}`;
/** A point of a series: with seconds where they tell points apart. */
export const pointTime = (at: number, step: number, who: Viewer = viewer()) =>
  step < 60 ? `${weekday(at, who)}, ${clockSeconds(at, who)}` : weekdayAndClock(at, who);
/** The exact time with its zone, for tooltips. */
export const exact = (at: number, who: Viewer = viewer()) =>
  date(at, who, { dateStyle: "full", timeStyle: "long" } as Intl.DateTimeFormatOptions);

const dayKey = (at: number, who: Viewer) => date(at, { ...who, locale: "en-CA" }, { dateStyle: "short" });

/** Where a time lies from now: "12 s ago", "today, 03:00", "Thu 12 Nov", "3 Feb 2026". */
export function ago(at: number, now = Date.now() / 1000, who: Viewer = viewer()): string {
  const s = now - at;
  if (s < 0) return s > -5 ? "just now" : dayAndClock(at, who);
  if (s < 60) return `${Math.floor(s)} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 6 * 3600) return `${Math.floor(s / 3600)} h ago`;
  if (dayKey(at, who) === dayKey(now, who)) return `today, ${clock(at, who)}`;
  if (dayKey(at, who) === dayKey(now - 86400, who)) return `yesterday, ${clock(at, who)}`;
  if (s < 7 * 86400) return weekday(at, who);
  return day(at, who);
}

/** "16 to 22 Nov 2026" */
export function days(from: number, to: number, { locale, zone }: Viewer = viewer()): string {
  const f = new Intl.DateTimeFormat(locale, {
    timeZone: zone,
    calendar: "gregory",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return f.formatRange(from * 1000, to * 1000).replace(/\s*[–—]\s*/, " to ");
}

/** "08:00 to 12:00", with the day where it ends on another one. */
export function span(from: number, to: number, who: Viewer = viewer()): string {
  const sameDay = dayKey(from, who) === dayKey(to - 1, who);
  return `${clock(from, who)} to ${sameDay ? clock(to, who) : weekdayAndClock(to, who)}`;
}

/** A start of something in a list: "Today 14:08", "Thu 12 Nov 22:07". */
export function moment(at: number, now = Date.now() / 1000, who: Viewer = viewer()): string {
  if (dayKey(at, who) === dayKey(now, who)) return `Today ${clock(at, who)}`;
  if (now - at < 300 * 86400) return `${weekday(at, who)} ${clock(at, who)}`;
  return dayAndClock(at, who);
}
