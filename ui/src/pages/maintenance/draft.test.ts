import { expect, test } from "vitest";
import type { WindowView } from "../../api/ui.gen";
import { bodyOf, type Draft, draftOf, endProblem, isFirst, newDraft, without } from "./draft";

const all = { all: true, alerts: [], labels: {}, tags: {} };
const friday = Date.UTC(2026, 10, 20, 22) / 1000; // 23:00 in Berlin
const nightly: WindowView = {
  id: 7,
  name: "Backup",
  note: "by cron",
  starts_at: friday - 7 * 86_400,
  ends_at: null,
  repeat: { days: ["fri", "sat"], start_time: "23:00", end_time: "01:00", zone: "Europe/Berlin", skip: ["2026-12-25"] },
  covers: all,
  suspends: true,
  created_at: 1,
  updated_at: 1,
  created_by: "ann",
  occurrences: [],
  covered: 3,
  on: false,
  until: 0,
};
const occurrence = { start: friday, end: friday + 7200 };

test("a window that does not repeat is from one time to another", () => {
  const d: Draft = { ...newDraft(friday, friday + 3600, all), name: " Load test ", zone: "Europe/Berlin" };
  expect(bodyOf(d)).toEqual({
    name: "Load test",
    note: "",
    starts_at: friday,
    ends_at: friday + 3600,
    repeat: null,
    covers: all,
    suspends: false,
  });
});

test("a window that repeats goes by the clocks of its zone", () => {
  const d = { ...newDraft(friday, friday + 7200, all), zone: "Europe/Berlin" };
  expect(bodyOf({ ...d, repeats: "weekly" }).repeat).toEqual({
    days: ["fri"],
    start_time: "23:00",
    end_time: "01:00",
    zone: "Europe/Berlin",
  });
  expect(bodyOf({ ...d, repeats: "daily" }).repeat?.days).toHaveLength(7);
  expect(bodyOf({ ...d, repeats: "workdays" }).repeat?.days).toEqual(["mon", "tue", "wed", "thu", "fri"]);
  expect(bodyOf({ ...d, repeats: "days", days: ["sat", "mon"] }).repeat?.days).toEqual(["mon", "sat"]);
});

test("one time of many becomes a window of its own, later ones go on repeating", () => {
  const d = draftOf(nightly, occurrence);
  expect(bodyOf(d)).toMatchObject({
    repeat: null,
    starts_at: friday,
    ends_at: friday + 7200,
    note: "by cron",
    suspends: true,
  });
  expect(bodyOf({ ...d, scope: "later" })).toMatchObject({ ends_at: null, repeat: nightly.repeat });
});

test("a day that is left out is the one on which it starts there", () => {
  expect(without(nightly, occurrence).repeat?.skip).toEqual(["2026-12-25", "2026-11-20"]);
  expect(isFirst(nightly, occurrence)).toBe(false);
  expect(isFirst(nightly, { start: nightly.starts_at, end: nightly.starts_at + 7200 })).toBe(true);
});

test("ends come after starts", () => {
  expect(endProblem({ start: 10, end: 10, repeats: false })).toBe("Ends must be after Starts.");
  expect(endProblem({ start: 0, end: 90_000, repeats: true })).toMatch(/a day at most/);
  expect(endProblem({ start: 0, end: 90_000, repeats: false })).toBeUndefined();
});

test("every 4 weeks is kept as such, and other numbers of weeks stay", () => {
  const d = { ...newDraft(friday, friday + 7200, all), zone: "Europe/Berlin" };
  expect(bodyOf({ ...d, repeats: "monthly" }).repeat).toMatchObject({ days: ["fri"], weeks: 4 });
  expect(bodyOf({ ...d, repeats: "weekly", weeks: 4 }).repeat).not.toHaveProperty("weeks");
  const every = (weeks: number): Draft => {
    const repeat = { days: ["fri" as const], start_time: "23:00", end_time: "01:00", zone: "Europe/Berlin", weeks };
    return { ...draftOf({ ...nightly, repeat }, occurrence), scope: "later" };
  };
  expect(every(4).repeats).toBe("monthly");
  expect(every(2).repeats).toBe("days");
  expect(bodyOf(every(2)).repeat).toMatchObject({ days: ["fri"], weeks: 2 });
});
