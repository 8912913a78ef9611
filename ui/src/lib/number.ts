import { type Viewer, viewer } from "./viewer";

/**
 * A number as people type it: 1250.5, 1e6, or with the digits and the decimal
 * mark of the viewer's locale. Marks between thousands are refused, because
 * 1,250 is two different numbers in two places. NaN if it is none.
 */
export function parseNumber(text: string, { locale }: Viewer = viewer()): number {
  const digits = Array.from({ length: 10 }, (_, n) => new Intl.NumberFormat(locale).format(n));
  const mark = new Intl.NumberFormat(locale).formatToParts(1.5).find((p) => p.type === "decimal")?.value ?? ".";
  let s = text.trim().replace("\u2212", "-").replace(mark, ".");
  digits.forEach((d, i) => {
    s = s.replaceAll(d, String(i));
  });
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(s) ? finite(Number(s)) : Number.NaN;
}

const finite = (n: number) => (Number.isFinite(n) ? n : Number.NaN);

/** What is wrong with a number that was typed, in words; nothing if it is one. */
export function numberProblem(text: string, who: Viewer = viewer()): string | undefined {
  if (text.trim() === "") return "Enter a number.";
  return Number.isNaN(parseNumber(text, who)) ? `“${text.trim()}” is not a number.` : undefined;
}
