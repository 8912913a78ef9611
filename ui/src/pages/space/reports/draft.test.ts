import { expect, test } from "vitest";
import type { Report } from "../../../api/ui.gen";
import { draftOf, emptyDraft, reportWords, scheduleWords, updateOf } from "./draft";

const report: Report = {
  id: 1,
  space: 2,
  name: "Mondays",
  schedule: { every: "week", weekday: "mon", time: "08:30", zone: "Europe/Berlin" },
  range: "-7d",
  services: [3, 4],
  paused: false,
  created_at: 1,
  created_by: "",
  due_at: 2,
  asked_at: 0,
  sent_at: 0,
  problem: "",
};
const berlin = { locale: "en-GB", zone: "Europe/Berlin" };

test("a report comes out of its form as it went in, without services that are gone", () => {
  expect(updateOf(draftOf(report, (ids) => ids.filter((id) => id === 3)))).toEqual({
    name: "Mondays",
    schedule: report.schedule,
    range: "-7d",
    services: [3],
  });
});

test("only what a rhythm needs is sent", () => {
  const d = { ...emptyDraft(), name: " Nightly ", zone: " UTC ", services: [3] };
  expect(updateOf(d)).toEqual({
    name: "Nightly",
    schedule: { every: "day", time: "09:00", zone: "UTC" },
    range: "-24h",
    services: [3],
  });
  expect(updateOf({ ...d, every: "month", day: 5 }).schedule).toEqual({
    every: "month",
    day: 5,
    time: "09:00",
    zone: "UTC",
  });
});

test.each([
  [{ every: "day", time: "09:00", zone: "Europe/Berlin" }, "every day at 09:00"],
  [{ every: "week", weekday: "mon", time: "09:00", zone: "Europe/Berlin" }, "every Monday at 09:00"],
  [{ every: "month", day: 5, time: "09:00", zone: "UTC" }, "on day 5 of every month at 09:00 (UTC)"],
  [{ every: "month", day: 31, time: "09:00", zone: "UTC" }, "on the last day of every month at 09:00 (UTC)"],
])("%o is said as %s", (s, want) => expect(scheduleWords(s, berlin)).toBe(want));

test("a range is said as the picker says it, or as it is", () => {
  const schedule = { every: "day", time: "09:00", zone: "Nowhere" };
  expect(reportWords({ range: "", schedule })).toBe("Last 6 hours, every day at 09:00 (Nowhere)");
  expect(reportWords({ range: "-5d", schedule })).toBe("-5d, every day at 09:00 (Nowhere)");
});
