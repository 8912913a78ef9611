import { expect, test } from "vitest";
import { addMonths, dayIn, dayNumber, endsOf, weeks } from "./days";

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

test.each([
  ["Europe/Berlin", 2025, 10, 25, "2025-10-24T22:00Z", 24],
  ["Europe/Berlin", 2025, 10, 26, "2025-10-25T22:00Z", 25],
  ["Europe/Berlin", 2025, 3, 30, "2025-03-29T23:00Z", 23],
  ["Australia/Lord_Howe", 2025, 4, 6, "2025-04-05T13:00Z", 24.5],
  ["Africa/Cairo", 2025, 4, 25, "2025-04-24T22:00Z", 23], // begins at 01:00
  ["Africa/Cairo", 2025, 10, 30, "2025-10-29T21:00Z", 25], // its last hour comes twice
  ["Africa/Cairo", 2025, 10, 31, "2025-10-30T22:00Z", 24],
  ["UTC", 2025, 12, 31, "2025-12-31T00:00Z", 24],
])("a day in %s is all of it: %d-%d-%d", (zone, y, m, d, begins, hours) => {
  const [first, last] = endsOf({ y, m, d }, zone);
  expect(first).toBe(Date.parse(begins) / 1000);
  expect(last + 60 - first).toBe(hours * 3600);
});
