import { expect, test } from "vitest";
import type { LimitPast, LimitUse } from "../api/ui.gen";
import { chartOf, chartSentence, pastDays } from "./limitChart";

const day = 86_400;
const today = Math.floor(Date.UTC(2026, 10, 18) / 1000);
const now = today + 3600;

const limit = (most: number): LimitUse => ({
  name: "streams",
  title: "Streams",
  unit: "streams",
  scope: "organization",
  effect: "",
  limit: most,
  default: most,
  own: false,
  use: 0,
  fixed: false,
});
const past = (uses: number[], inDays?: number): LimitPast => ({
  name: "streams",
  days: uses.map((use, i) => ({ day: today - (uses.length - 1 - i) * day, use })),
  reaches_at: inDays === undefined ? null : today + inDays * day,
});

test("thirty days, ten to come, and a limit that is in sight", () => {
  const c = chartOf(limit(50_000), past([38_000, 40_000]), now);
  expect(c.line).toHaveLength(40);
  expect(c.days).toHaveLength(40);
  expect([c.days[0], c.days[pastDays - 1], c.days.at(-1)]).toEqual([today - 29 * day, today, today + 10 * day]);
  expect(c.last).toEqual({ at: 29, use: 40_000 });
  expect([c.limited, c.top >= 50_000, c.course]).toEqual([true, true, undefined]);
});

test("a limit that is far away is not on the axis", () => {
  const c = chartOf(limit(1_000_000), past([100, 106]), now);
  expect(c.limited).toBe(false);
  expect(c.top).toBeLessThan(200);
  expect(chartOf(limit(0), past([100]), now).limited).toBe(false);
});

test("the course ends at the limit, or on the way to it", () => {
  expect(chartOf(limit(500), past([390, 400], 10), now).course).toEqual({
    from: 29,
    use: 400,
    to: 39,
    value: 500,
    reached: true,
  });
  const far = chartOf(limit(1000), past([390, 400], 60), now);
  expect(far.line).toHaveLength(60);
  expect(far.course).toEqual({ from: 29, use: 400, to: 59, value: 700, reached: false });
  expect(far.limited).toBe(true);
});

test("days that are not known, and none at all", () => {
  const gap = { ...past([]), days: [{ day: today - 3 * day, use: 7 }] };
  expect(chartOf(limit(10), gap, now).last).toEqual({ at: 26, use: 7 });
  const none = chartOf(limit(10), past([]), now);
  expect([none.last, none.course, none.limited]).toEqual([undefined, undefined, false]);
  expect(none.top).toBeGreaterThan(0);
});

test("the chart in words", () => {
  const p = past([38_000, 40_000], 10);
  expect(chartSentence(limit(50_000), p, chartOf(limit(50_000), p, now))).toMatch(
    /^Streams: between 38.000 and 40.000 of the last 30 days; the limit is 50.000, reached about .*28.* at this pace$/,
  );
  const none = past([]);
  expect(chartSentence(limit(0), none, chartOf(limit(0), none, now))).toBe("Streams: not known yet");
});
