import type { LimitPast, LimitUse } from "../api/ui.gen";
import { dayAndMonth } from "./format";
import { amount, lineOf, lineSentence } from "./limits";
import { scaleOf } from "./usage";

const daySeconds = 86_400;

/** Days of the past, and how many of the future are shown at least and at most. */
export const pastDays = 30;
const [fewAhead, mostAhead] = [10, 30];

/** From this part of the limit on the axis reaches up to it. */
const inSight = 0.25;

/** Where use is going: from today to a place at or on the way to the limit. Days are counted from the first shown. */
export type Course = { from: number; use: number; to: number; value: number; reached: boolean };

export type LimitChart = {
  /** What was used on each day; null where it is not known, and ahead. */
  line: (number | null)[];
  /** Midnight of each of these days. */
  days: number[];
  /** The last day that is known, and its use. */
  last: { at: number; use: number } | undefined;
  course: Course | undefined;
  /** Whether the limit is on the axis. */
  limited: boolean;
  top: number;
  lines: number[];
};

/** The last 30 days of the use of a limit, the days to come, and where it is going. */
export function chartOf(l: LimitUse, past: LimitPast, now = Date.now() / 1000): LimitChart {
  const today = Math.floor(now / daySeconds) * daySeconds;
  const known = lineOf(past, now, pastDays);
  const at = known.findLastIndex((v) => v !== null);
  const last = at < 0 ? undefined : { at, use: known[at] ?? 0 };
  const reaches = past.reaches_at === null ? undefined : Math.max(1, (past.reaches_at - today) / daySeconds);
  const ahead = Math.min(mostAhead, Math.max(fewAhead, Math.ceil(reaches ?? 0)));
  const course = last && reaches !== undefined ? courseOf(last, l.limit, reaches, ahead) : undefined;
  const most = Math.max(0, ...known.map((v) => v ?? 0));
  const limited = l.limit > 0 && (course !== undefined || most >= inSight * l.limit);
  return {
    line: [...known, ...Array.from({ length: ahead }, () => null)],
    days: Array.from({ length: pastDays + ahead }, (_, i) => today + (i - pastDays + 1) * daySeconds),
    last,
    course,
    limited,
    ...scaleOf([most, limited ? l.limit : 0]),
  };
}

/** The straight way to the limit, as far as it is shown. */
function courseOf(last: { at: number; use: number }, limit: number, reaches: number, ahead: number): Course {
  const end = pastDays - 1 + reaches;
  const to = Math.min(end, pastDays - 1 + ahead);
  const value = last.use + ((limit - last.use) * (to - last.at)) / Math.max(1, end - last.at);
  return { from: last.at, use: last.use, to, value, reached: to === end };
}

/** The chart in a sentence, for those who do not see it. */
export function chartSentence(l: LimitUse, past: LimitPast, chart: LimitChart): string {
  const known = chart.line.slice(0, pastDays);
  const used = known.some((v) => v !== null) ? lineSentence(l, known) : "not known yet";
  const limit = l.limit > 0 ? `; the limit is ${amount(l, l.limit)}` : "";
  const reaches = past.reaches_at === null ? "" : `, reached about ${dayAndMonth(past.reaches_at)} at this pace`;
  return `${l.title}: ${used}${limit}${reaches}`;
}
