import { expect, test } from "vitest";
import { timesOfDay } from "./timesOfDay";

test("half hours of a day, and the time that is chosen", () => {
  const all = timesOfDay("07:15").map((o) => o.value);
  expect(all.length).toBe(49);
  expect(all.slice(13, 18)).toEqual(["06:30", "07:00", "07:15", "07:30", "08:00"]);
  expect(timesOfDay("22:00").length).toBe(48);
  expect(timesOfDay("22:00").every((o) => /\d/.test(o.label))).toBe(true);
});
