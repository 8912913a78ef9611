import type { Words } from "./words";

/** How the words of a locale are found in a text. */
export type Patterns = {
  /** A time of day at the end: what is before it, part of the day, hour, minute, second, part of the day. */
  clock: RegExp;
  weekday: RegExp;
  /** The longest name first. */
  months: [RegExp, number][];
};

const made = new WeakMap<Words, Patterns>();

export function patternsOf(words: Words): Patterns {
  let p = made.get(words);
  if (!p) {
    p = { clock: clock(words), weekday: weekday(words), months: words.months.map(([n, mo]) => [month(n), mo]) };
    made.set(words, p);
  }
  return p;
}

const escaped = (s: string) => s.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
const oneOf = (list: string[]) =>
  `(?:${[...list]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join("|")})`;

function clock(words: Words): RegExp {
  const separator = oneOf(words.separators);
  const then = `\\s*${separator}\\s*(\\d{2})`;
  const period = `(${oneOf([...words.periods.keys()])})?`;
  return new RegExp(
    `^(.*?)${period}\\s*(?<![\\d:.-])(\\d{1,2})(?:${then}(?:${then})?)?(?:\\s*${separator})?\\s*${period}$`,
    "u",
  );
}

/** The name of a weekday before a date, or behind one, as in "11月9日(月)". */
function weekday(words: Words): RegExp {
  const name = oneOf(words.weekdays.map(([n]) => n));
  return new RegExp(`^${name}(?![\\p{L}\\p{M}])|(?<=[\\d\\s(日])${name}\\)?$`, "u");
}

/** Names that begin or end with a digit, as in Chinese, stand between letters. */
function month(name: string): RegExp {
  const left = /^\d/.test(name) ? "(?<!\\d)" : "(?<![\\p{L}\\p{M}])";
  const right = /\d$/.test(name) ? "(?!\\d)" : /^\d/.test(name) ? "" : "(?![\\p{L}\\p{M}])";
  return new RegExp(left + escaped(name) + right, "u");
}
