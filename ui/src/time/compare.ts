import type { Range, Window } from "./range";

/** With what a page compares: how it is called, and how the address has it. */
export const compares = [
  { value: "", label: "Compare with nothing", short: "Compare" },
  { value: "period", label: "The period before", short: "period before" },
  { value: "1w", label: "A week before", short: "week before" },
  { value: "4w", label: "Four weeks before", short: "4 weeks before" },
] as const;

export type Compare = (typeof compares)[number]["value"];

const week = 7 * 86_400;

export const compareOf = (text: string | undefined): Compare => compares.find((c) => c.value === text)?.value ?? "";

/** "a week before": what it is compared with, within a sentence. */
export function compareWords(compare: Compare): string {
  const { label } = compares.find((c) => c.value === compare) ?? compares[0];
  return label.charAt(0).toLowerCase() + label.slice(1);
}

/** How many seconds before a window the one lies that it is compared with; 0 for none. Whole steps, so that points meet. */
export function shiftOf(compare: Compare, w: Window): number {
  const by = { "": 0, period: w.end - w.start, "1w": week, "4w": 4 * week }[compare];
  return Math.ceil(by / w.step) * w.step;
}

export const before = (w: Window, by: number): Window => ({ start: w.start - by, end: w.end - by, step: w.step });

/** The range that data of the past is kept under: it is another one than the page's. */
export const rangeBefore = (r: Range, compare: Compare): Range => ({ from: `${r.from}~${compare}`, to: r.to });
