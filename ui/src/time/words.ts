/**
 * What dates are written with in a locale, learned from what the browser
 * writes. English is understood everywhere.
 */
export type Words = {
  /** The locale's digits, 0 to 9. */
  digits: string[];
  /** Names to 1..12, the longest first. */
  months: [string, number][];
  /** Names to 0..6 from Sunday, the longest first. */
  weekdays: [string, number][];
  /** Names to the days that they lie back. */
  days: Map<string, number>;
  /** Names of parts of the day, to the hours that they are written for. */
  periods: Map<string, Set<number>>;
  /** What stands between hours, minutes and seconds. */
  separators: string[];
  /** What may stand in a date without saying anything. */
  fillers: Set<string>;
  /** In which order day, month and year are written in digits. */
  order: ("day" | "month" | "year")[];
};

const learned = new Map<string | undefined, Words>();

/** The words of a locale. Learning takes a few hundred formats, so it is done once. */
export function wordsOf(locale: string | undefined): Words {
  let w = learned.get(locale);
  if (!w) {
    w = learn(locale);
    learned.set(locale, w);
  }
  return w;
}

/** Text without what makes no difference: case, accents, marks of direction, dots of abbreviations. */
export function plainText(text: string, digits: string[] = []): string {
  let s = text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u200e\u200f\u061c]/g, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=[\p{L}\p{M}])[.\u0970]/gu, "");
  digits.forEach((d, i) => {
    s = s.replaceAll(d, String(i));
  });
  return s.replace(/\s+/g, " ").trim();
}

type Options = Intl.DateTimeFormatOptions;
const english = "en-US";
const spellings: Options[] = [
  { month: "short" },
  { month: "long" },
  { day: "numeric", month: "short" },
  { day: "numeric", month: "long" },
  { day: "numeric", month: "short", year: "numeric" },
  { day: "numeric", month: "long", year: "numeric" },
  { weekday: "short", day: "numeric", month: "short" },
];
const clockOptions: Options = { hour: "2-digit", minute: "2-digit", second: "2-digit" };
const letters = /[\p{L}\p{M}]+/gu;

const write = (locale: string | undefined, o: Options) =>
  new Intl.DateTimeFormat(locale, { timeZone: "UTC", calendar: "gregory", ...o });

function learn(locale: string | undefined): Words {
  const digits = Array.from({ length: 10 }, (_, n) => new Intl.NumberFormat(locale).format(n));
  const plain = (s: string) => plainText(s, digits);
  const fillers = new Set(["at", "of", "on", "st", "nd", "rd", "th"]);
  const months = new Map<string, number>([["sept", 9]]);
  for (const l of [english, locale]) for (const o of spellings) learnMonths(write(l, o), plain, months, fillers);
  return {
    digits,
    months: longestFirst(months),
    weekdays: longestFirst(learnWeekdays(locale, plain)),
    days: learnDays(locale, plain),
    ...learnClock(locale, plain),
    fillers,
    order: learnOrder(locale),
  };
}

const longestFirst = (names: Map<string, number>) => [...names].sort((a, b) => b[0].length - a[0].length);

function learnMonths(
  f: Intl.DateTimeFormat,
  plain: (s: string) => string,
  months: Map<string, number>,
  fillers: Set<string>,
): void {
  for (let mo = 1; mo <= 12; mo++) {
    const parts = f.formatToParts(Date.UTC(2026, mo - 1, 9));
    parts.forEach((p, i) => {
      if (p.type === "literal" || p.type === "era") for (const [w] of plain(p.value).matchAll(letters)) fillers.add(w);
      if (p.type !== "month") return;
      const name = plain(p.value);
      // Some languages write a preposition or an ending in one word with the name.
      const before = /[\p{L}\p{M}]*$/u.exec(plainEnd(parts[i - 1], plain))?.[0] ?? "";
      const after = /^[\p{L}\p{M}]*/u.exec(plainEnd(parts[i + 1], plain))?.[0] ?? "";
      for (const n of [name, before + name + after]) if (/[\p{L}\p{M}]/u.test(n)) months.set(n, mo);
    });
  }
}

/** A neighbour of a name, with the space that parts them. */
function plainEnd(part: Intl.DateTimeFormatPart | undefined, plain: (s: string) => string): string {
  if (part?.type !== "literal") return "";
  const { value } = part;
  return `${/^\s/.test(value) ? " " : ""}${plain(value)}${/\s$/.test(value) ? " " : ""}`;
}

function learnWeekdays(locale: string | undefined, plain: (s: string) => string): Map<string, number> {
  const names = new Map<string, number>([
    ["tues", 2],
    ["weds", 3],
    ["thur", 4],
    ["thurs", 4],
  ]);
  for (const l of [english, locale])
    for (const weekday of ["short", "long"] as const)
      for (let d = 0; d < 7; d++) names.set(plain(write(l, { weekday }).format(Date.UTC(2026, 10, 1 + d))), d);
  return names;
}

function learnDays(locale: string | undefined, plain: (s: string) => string): Map<string, number> {
  const names = new Map<string, number>();
  for (const l of [english, locale])
    for (const back of [0, 1])
      names.set(plain(new Intl.RelativeTimeFormat(l, { numeric: "auto" }).format(-back, "day")), back);
  return names;
}

function learnClock(locale: string | undefined, plain: (s: string) => string): Pick<Words, "periods" | "separators"> {
  const periods = new Map<string, Set<number>>();
  const separators = new Set([":", "h"]);
  for (const l of [english, locale]) {
    const f = write(l, clockOptions);
    for (let h = 0; h < 24; h++)
      for (const p of f.formatToParts(Date.UTC(2026, 10, 9, h, 8, 7))) {
        const said = plain(p.value);
        if (p.type === "dayPeriod") periods.set(said, (periods.get(said) ?? new Set()).add(h));
        else if (p.type === "literal" && said) separators.add(said);
      }
  }
  return { periods, separators: [...separators] };
}

function learnOrder(locale: string | undefined): Words["order"] {
  const parts = write(locale, { day: "numeric", month: "numeric", year: "numeric" }).formatToParts(0);
  return parts.map((p) => p.type).filter((t) => t === "day" || t === "month" || t === "year");
}
