import type { OrgUsage } from "../api/ui.gen";
import { axisRange, axisSplits } from "../chart/axis";
import { dayAndMonth, number } from "./format";

const day = 86_400;

export type Column = { day: number; samples: number; today: boolean };

/** The last days up to today, those without measurements too; days are those of UTC, as the server counts them. */
export function lastDays(days: OrgUsage["days"], now = Date.now() / 1000, n = 30): Column[] {
  const today = Math.floor(now / day) * day;
  const counted = new Map(days.map((d) => [Math.floor(d.day / day) * day, d.samples]));
  return Array.from({ length: n }, (_, i) => {
    const at = today - (n - 1 - i) * day;
    return { day: at, samples: counted.get(at) ?? 0, today: at === today };
  });
}

/** The top of the axis and the lines across, by the most that there is on it. */
export function scaleOf(values: number[]): { top: number; lines: number[] } {
  const [from, top] = axisRange(0, Math.max(1, ...values));
  return { top, lines: axisSplits(from, top) };
}

/** The chart in a sentence, for those who do not see it. */
export function daysSentence(columns: Column[]): string {
  const total = columns.reduce((n, c) => n + c.samples, 0);
  const best = columns.reduce((a, b) => (b.samples > a.samples ? b : a));
  const today = columns.at(-1)?.samples ?? 0;
  return `Measurements a day, last ${columns.length} days: ${number(total)} in all, most on ${dayAndMonth(best.day)} with ${number(best.samples)}, today ${number(today)} so far`;
}
