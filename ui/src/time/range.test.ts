import { describe, expect, test } from "vitest";
import {
  absolute,
  isLive,
  label,
  parseAddress,
  resolutionFor,
  resolve,
  shift,
  typedRange,
  windowOf,
  zoomOut,
} from "./range";

const who = { locale: "en-GB", zone: "Europe/Berlin" };
const now = Date.UTC(2026, 10, 15, 13, 32, 5) / 1000; // Sunday 14:32:05 in Berlin
const berlin = (mo: number, d: number, h: number, mi = 0, y = 2026) => Date.UTC(y, mo - 1, d, h - 1, mi) / 1000; // winter

describe("times of addresses", () => {
  test.each([
    ["-36h", now - 36 * 3600],
    ["-1y", now - 365 * 86400],
    ["", now],
    ["1763000000", 1763000000],
    ["today", berlin(11, 15, 0)],
    ["yesterday", berlin(11, 14, 0)],
    ["2026-11-09", berlin(11, 9, 0)],
  ])("%s", (text, want) => expect(parseAddress(text, now, who)).toBe(want));
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
  expect(label({ from: "-1y", to: "" }, now, who)).toBe("Last year");
});

test("labels of another year say which", () => {
  const from = berlin(1, 1, 0, 0, 2030);
  expect(label(absolute(from, from + 3600), now, who)).toBe("1 Jan 2030, 00:00 – 01:00");
  expect(label(absolute(from - 3600, from), from, who)).toBe("31 Dec 2029, 23:00 – 1 Jan 2030, 00:00");
});

test("what was typed relative to now stays so", () => {
  expect(typedRange("-36h", "now", now - 36 * 3600, now)).toEqual({ from: "-36h", to: "" });
  expect(typedRange("36 h", "", now - 36 * 3600, now)).toEqual({ from: "-36h", to: "" });
  expect(typedRange("-36h", "9:00", 100, 200)).toEqual(absolute(100, 200));
  expect(typedRange("9:00", "now", 100, 200)).toEqual(absolute(100, 200));
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
