import { expect, test } from "vitest";
import { daysSentence, lastDays, scaleOf } from "./usage";

const day = 86_400;
const today = Math.floor(Date.UTC(2026, 10, 15) / 1000);

test("days without measurements have their place", () => {
  const columns = lastDays(
    [
      { day: today - 2 * day, samples: 7 },
      { day: today, samples: 3 },
    ],
    today + 3600,
    4,
  );
  expect(columns.map((c) => c.samples)).toEqual([0, 7, 0, 3]);
  expect(columns.map((c) => c.today)).toEqual([false, false, false, true]);
});

test("what is older than the chart is left out", () => {
  expect(lastDays([{ day: today - 40 * day, samples: 7 }], today).every((c) => c.samples === 0)).toBe(true);
});

test("the axis ends at or above the most", () => {
  const { top, lines } = scaleOf([7, 1_082_440]);
  expect(top).toBeGreaterThanOrEqual(1_082_440);
  expect(lines[0]).toBe(0);
  expect(lines.length).toBeGreaterThanOrEqual(2);
  expect(scaleOf([]).top).toBeGreaterThan(0);
});

test("the chart in words", () => {
  const columns = lastDays(
    [
      { day: today - day, samples: 1500 },
      { day: today, samples: 20 },
    ],
    today + 3600,
  );
  expect(daysSentence(columns)).toMatch(
    /^Measurements a day, last 30 days: 1.520 in all, most on .*14.* with 1.500, today 20 so far$/,
  );
});
