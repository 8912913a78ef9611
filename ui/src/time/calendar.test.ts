import { expect, test } from "vitest";
import { addMonths, dayIn, dayNumber, weeks } from "./calendar";

test("weeks begin on Monday and hold one month", () => {
  const nov = weeks(2026, 11);
  expect(nov[0]?.map((d) => d?.d ?? 0)).toEqual([0, 0, 0, 0, 0, 0, 1]);
  expect(nov.flat().filter(Boolean)).toHaveLength(30);
  expect(nov.every((w) => w.length === 7)).toBe(true);
});

test("months roll over years", () => {
  expect(addMonths(2026, 1, -1)).toEqual({ y: 2025, m: 12 });
  expect(addMonths(2026, 12, 1)).toEqual({ y: 2027, m: 1 });
});

test("a time falls on different days in different zones", () => {
  const t = Date.UTC(2026, 10, 15, 23, 30) / 1000;
  expect(dayIn(t, "UTC").d).toBe(15);
  expect(dayIn(t, "Europe/Berlin").d).toBe(16);
  expect(dayNumber(dayIn(t, "UTC")) + 1).toBe(dayNumber(dayIn(t, "Europe/Berlin")));
});
