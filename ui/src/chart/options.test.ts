import { describe, expect, test } from "vitest";
import type { Line } from "./data";
import { lonely, options, type Shape, shapeKey, timeLabels } from "./options";

const who = { locale: "en-GB", zone: "UTC" };
const line = (more: Partial<Line> = {}): Line => ({
  key: "0|a",
  label: "a",
  mono: true,
  unit: "ms",
  axis: 0,
  paint: { slot: 0 },
  stream: 0,
  tags: {},
  values: [],
  ...more,
});
const shape = (lines: Line[], more: Partial<Shape> = {}): Shape => ({
  kind: "line",
  scheme: "light",
  lines,
  left: {},
  right: {},
  viewer: who,
  ...more,
});

test("a right axis appears with the first line on it", () => {
  expect(options(shape([line()])).axes).toHaveLength(2);
  expect(options(shape([line(), line({ axis: 1 })])).axes).toHaveLength(3);
});

test("stacked lines fill the space down to the one below", () => {
  const o = options(shape([line(), line({ key: "b" }), line({ key: "c" })], { kind: "stacked" }));
  expect(o.bands?.map((b) => b.series)).toEqual([
    [2, 1],
    [3, 2],
  ]);
});

test("values do not make a new plot, streams and theme do", () => {
  const key = shapeKey(shape([line()]));
  expect(shapeKey(shape([line({ values: [1, 2] })]))).toBe(key);
  expect(shapeKey(shape([line({ key: "other" })]))).not.toBe(key);
  expect(shapeKey(shape([line()], { scheme: "dark" }))).not.toBe(key);
});

test("the time axis says clock times, and the day at midnight", () => {
  const noon = Date.UTC(2026, 10, 15, 12) / 1000;
  expect(timeLabels([noon, noon + 43200], 86400, who)).toEqual(["12:00", "Mon 16"]);
  expect(timeLabels([noon], 7 * 86400, who)).toEqual(["Sun 15"]);
  expect(timeLabels([noon], 90 * 86400, who)).toEqual(["15 Nov"]);
});

describe("points where no line can be", () => {
  const none = undefined;
  test("a first value alone", () => expect(lonely([none, none, 42, none], 0)).toEqual([2]));
  test("two values make a line", () => expect(lonely([none, 1, none, 2], 0)).toBeNull());
  test("one between gaps", () => expect(lonely([1, 2, null, 3, none, null, 4, 5], 2)).toEqual([3]));
  test("one after the last gap", () => expect(lonely([1, 2, null, none, 3, none], 1)).toEqual([4]));
  test("nothing", () => expect(lonely([none, none], 0)).toBeNull());
});
