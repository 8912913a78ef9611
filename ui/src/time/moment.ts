import { dayAndClock } from "../lib/format";
import { type Viewer, viewer } from "../lib/viewer";
import { patternsOf } from "./patterns";
import { parseAddress } from "./range";
import { atWall, isDay, type Wall, wall } from "./wall";
import { plainText, type Words, wordsOf } from "./words";

/**
 * Reads what people type for a time: "-36h", "now", "today", "mon 9:00",
 * "9 Nov 2026, 08:00", "2026-11-09 08:00", "9:00", seconds since 1970, and
 * whatever the interface itself writes in the viewer's locale.
 */
export function parseMoment(input: string, now: number, who: Viewer = viewer()): number | undefined {
  const words = wordsOf(who.locale);
  const text = plainText(input, words.digits);
  return parseAddress(text, now, who) ?? parseZoned(text) ?? parseWritten(text, now, who.zone, words);
}

/** What a field says that holds no time. */
export const notADate = (now = Date.now() / 1000) => `This is not a date. Write ${dayAndClock(now)} or -36h.`;

/**
 * The time that a field holds. Left as it was written it is the one it was
 * written for: the text has no seconds, and says an hour that comes twice once.
 */
export function momentOf(text: string, written: number | undefined, now: number, who: Viewer = viewer()) {
  return written !== undefined && text === dayAndClock(written, who) ? written : parseMoment(text, now, who);
}

/** A time that says its own distance from UTC. */
function parseZoned(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}[t ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(z|[+-]\d{2}:?\d{2})$/.test(text)) return undefined;
  const at = Date.parse(text.toUpperCase().replace(" ", "T"));
  return Number.isNaN(at) ? undefined : at / 1000;
}

function parseWritten(text: string, now: number, zone: string, words: Words): number | undefined {
  const today = wall(now, zone);
  const { secs, rest } = takeClock(text.replace(/(\d)t(?=\d)/, "$1 "), words);
  if (secs === undefined) return undefined;
  const day = parseDay(trimEnds(rest), today, words);
  return day && atWall(day.y, day.mo, day.d, secs, zone);
}

const trimEnds = (s: string) => s.replace(/^[\s,،、]+|[\s,،、]+$/g, "");

/** Takes the time of day off the end of a text: its seconds, undefined if there is no such time. */
function takeClock(text: string, words: Words): { secs: number | undefined; rest: string } {
  const m = patternsOf(words).clock.exec(text);
  const [, rest = "", early, hour = "", minute, second, late] = m ?? [];
  const named = early ?? late;
  const bare = /^\d{1,2}$/.test(text);
  if (!m || (minute === undefined && named === undefined && !bare)) return takeHour(text, words);
  return { secs: seconds(Number(hour), Number(minute ?? 0), Number(second ?? 0), named, words), rest };
}

/** "mon 9": a full hour after the name of a day. Everything else has none, and means midnight. */
function takeHour(text: string, words: Words): { secs: number | undefined; rest: string } {
  const m = /^(\D+) (\d{1,2})$/u.exec(text);
  const name = trimEnds(m?.[1] ?? "");
  const known = words.days.has(name) || words.weekdays.some(([n]) => n === name);
  // In some languages a weekday and a month share a name; then it is the month, with its day.
  if (!m || !known || words.months.some(([n]) => n === name)) return { secs: 0, rest: text };
  return { secs: seconds(Number(m[2]), 0, 0, undefined, words), rest: name };
}

function seconds(h: number, min: number, s: number, period: string | undefined, words: Words): number | undefined {
  if (h > 23 || min > 59 || s > 59) return undefined;
  const hours = period === undefined ? undefined : words.periods.get(period);
  const hour = hours ? (h > 12 ? [h] : [h % 12, (h % 12) + 12]).find((x) => hours.has(x)) : h;
  return hour === undefined ? undefined : hour * 3600 + min * 60 + s;
}

type Day = Pick<Wall, "y" | "mo" | "d">;

function parseDay(text: string, today: Wall, words: Words): Day | undefined {
  if (text === "") return today;
  const back = words.days.get(text) ?? weekdayBack(text, today, words);
  if (back !== undefined) return { y: today.y, mo: today.mo, d: today.d - back };
  // The weekday says nothing new, but its name can be that of a month too.
  return parseDate(withoutWeekday(text, words), today, words) ?? parseDate(text, today, words);
}

function weekdayBack(text: string, today: Wall, words: Words): number | undefined {
  const hit = words.weekdays.find(([name]) => name === text);
  return hit && (today.weekday - hit[1] + 7) % 7;
}

const withoutWeekday = (text: string, words: Words) => trimEnds(text.replace(patternsOf(words).weekday, ""));

function parseDate(text: string, today: Wall, words: Words): Day | undefined {
  const month = takeMonth(text, words);
  const rest = month ? month.rest : text;
  const numbers = [...rest.matchAll(/\d+/g)].map(([n]) => n);
  const others = rest.replace(/\d+/g, " ").replace(/[\p{L}\p{M}]+/gu, (w) => (words.fillers.has(w) ? "" : w));
  if (!/^[\s\p{P}]*$/u.test(others)) return undefined;
  const read = month ? namedMonth(month.mo, numbers, words) : inDigits(numbers, words);
  if (!read) return undefined;
  const day = read.y === undefined ? { ...read, y: nearestYear(read.mo, read.d, today) } : { ...read, y: read.y };
  return isDay(day.y, day.mo, day.d) ? day : undefined;
}

function takeMonth(text: string, words: Words): { mo: number; rest: string } | undefined {
  for (const [pattern, mo] of patternsOf(words).months) {
    const found = pattern.exec(text);
    if (found) return { mo, rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}` };
  }
  return undefined;
}

type Read = { y: number | undefined; mo: number; d: number };

const isYear = (n: string) => n.length === 4;
const yearOf = (n: string) => (n.length <= 2 ? 2000 + Number(n) : Number(n));

/** The numbers beside the name of a month: its day, its year, or both. */
function namedMonth(mo: number, numbers: string[], words: Words): Read | undefined {
  const [a, b] = numbers;
  if (a === undefined || numbers.length > 2) return undefined;
  if (b === undefined) return isYear(a) ? { y: Number(a), mo, d: 1 } : { y: undefined, mo, d: Number(a) };
  const yearFirst = isYear(a) || (!isYear(b) && words.order[0] === "year");
  return yearFirst ? { y: yearOf(a), mo, d: Number(b) } : { y: yearOf(b), mo, d: Number(a) };
}

/** A date in digits only, in the order of the locale; a year of four digits may always come first. */
function inDigits(numbers: string[], words: Words): Read | undefined {
  const dayAndMonth = words.order.filter((t) => t !== "year");
  const order =
    numbers.length === 2
      ? dayAndMonth
      : isYear(numbers[0] ?? "")
        ? (["year", "month", "day"] as const)
        : isYear(numbers[2] ?? "")
          ? [...dayAndMonth, "year" as const]
          : words.order;
  if (numbers.length !== order.length) return undefined;
  const at = (t: "day" | "month" | "year") => numbers[order.indexOf(t)];
  const year = at("year");
  return { y: year === undefined ? undefined : yearOf(year), mo: Number(at("month")), d: Number(at("day")) };
}

/** The last year that had this day, today included. */
function nearestYear(mo: number, d: number, today: Wall): number {
  let y = mo > today.mo || (mo === today.mo && d > today.d) ? today.y - 1 : today.y;
  while (mo === 2 && d === 29 && !isDay(y, mo, d)) y--;
  return y;
}
