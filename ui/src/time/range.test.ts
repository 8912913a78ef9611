import { describe, expect, test } from "vitest";
import {
  absolute,
  atWall,
  isLive,
  label,
  parseMoment,
  resolutionFor,
  resolve,
  shift,
  windowOf,
  zoomOut,
} from "./range";

const who = { locale: "en-GB", zone: "Europe/Berlin" };
const now = Date.UTC(2026, 10, 15, 13, 32, 5) / 1000; // Sunday 14:32:05 in Berlin
const berlin = (mo: number, d: number, h: number, mi = 0, y = 2026) => Date.UTC(y, mo - 1, d, h - 1, mi) / 1000; // winter

describe("what people type", () => {
  test.each([
    ["-36h", now - 36 * 3600],
    ["36h", now - 36 * 3600],
    ["-90 d", now - 90 * 86400],
    ["", now],
    ["now", now],
    ["1763000000", 1763000000],
    ["mon 9:00", berlin(11, 9, 9)],
    ["Monday, 9:00", berlin(11, 9, 9)],
    ["sun 9:00", berlin(11, 15, 9)],
    ["today", berlin(11, 15, 0)],
    ["yesterday 18:30", berlin(11, 14, 18, 30)],
    ["9 Nov 2026, 08:00", berlin(11, 9, 8)],
    ["9 nov", berlin(11, 9, 0)],
    ["2026-11-09 08:00", berlin(11, 9, 8)],
    ["2026-11-09", berlin(11, 9, 0)],
    ["9:15", berlin(11, 15, 9, 15)],
    ["3pm", berlin(11, 15, 15)],
  ])("%s", (text, want) => expect(parseMoment(text, now, who)).toBe(want));

  test.each(["someday", "32 foo", "25:00", "9:75", "2026-13-01", "--3h"])("%s is not a time", (text) =>
    expect(parseMoment(text, now, who)).toBeUndefined(),
  );

  test("summer and winter", () => {
    expect(atWall(2026, 7, 1, 12 * 3600, "Europe/Berlin")).toBe(Date.UTC(2026, 6, 1, 10) / 1000);
    expect(atWall(2026, 12, 1, 12 * 3600, "Europe/Berlin")).toBe(Date.UTC(2026, 11, 1, 11) / 1000);
  });
});

test.each([
  [20 * 60, 1],
  [20 * 60 + 1, 10],
  [2 * 3600, 10],
  [6 * 3600, 60],
  [86400, 300],
  [7 * 86400, 900],
  [30 * 86400, 3600],
  [90 * 86400, 6 * 3600],
  [400 * 86400, 86400],
])("%d seconds are shown in steps of %d", (s, want) => expect(resolutionFor(s)).toBe(want));

test("windows lie on the grid, with the bucket that is being filled", () => {
  const w = windowOf({ from: "-6h", to: "" }, now, who);
  expect(w.step).toBe(60);
  expect(w.start % 60).toBe(0);
  expect(w.end).toBe(Math.ceil(now / 60) * 60);
  expect(windowOf({ from: "-15m", to: "" }, now, who, 10).step).toBe(10);
});

test("a range that cannot be read is the usual one", () => {
  expect(resolve({ from: "junk", to: "" }, now, who)).toEqual({ start: now - 21600, end: now });
  expect(resolve({ from: "-1h", to: "-2h" }, now, who)).toEqual({ start: now - 21600, end: now });
});

test("labels", () => {
  expect(label({ from: "-6h", to: "" }, now, who)).toBe("Last 6 hours");
  expect(label({ from: "-36h", to: "" }, now, who)).toBe("Last 36 hours");
  expect(label({ from: "-1w", to: "" }, now, who)).toBe("Last week");
  expect(label(absolute(berlin(11, 15, 8), berlin(11, 15, 9)), now, who)).toBe("Sun 15 Nov, 08:00 – 09:00");
  expect(label(absolute(berlin(11, 1, 8), berlin(11, 13, 18)), now, who)).toBe(
    "1 Nov 2026, 08:00 – 13 Nov 2026, 18:00",
  );
});

test("arrows move by half and stop at now", () => {
  const back = shift({ from: "-6h", to: "" }, -1, now, who);
  expect(resolve(back, now, who)).toEqual({ start: Math.round(now - 9 * 3600), end: Math.round(now - 3 * 3600) });
  expect(isLive(back)).toBe(false);
  expect(shift({ from: "-6h", to: "" }, 1, now, who)).toEqual({ from: "-6h", to: "" });
});

test("zooming out doubles and ends now at the latest", () => {
  const { start, end } = resolve(zoomOut({ from: "-6h", to: "" }, now, who), now, who);
  expect(end - start).toBe(12 * 3600);
  expect(end).toBe(now);
});
