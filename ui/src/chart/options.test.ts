import { describe, expect, test } from "vitest";
import type { Line } from "./data";
import { axisLabels, timeLabels, withinEdge } from "./labels";
import { lonely, options, type Shape, shapeKey } from "./options";

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

test("no number is left out of a logarithmic axis: each is asked for its label", () => {
  const [, axis] = options(shape([line()], { left: { log: true } })).axes ?? [];
  expect(axis?.filter?.(undefined as never, [1, 10, 100], 1, 0, 0)).toEqual([1, 10, 100]);
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
  expect(timeLabels([noon], 30 * 86400, who)).toEqual(["15 Nov"]);
});

test("a label that would be cut at the right edge is left out", () => {
  const ten = (text: string) => text.length * 10;
  expect(withinEdge(["10:00", "12:00", "14:00"], [0, 150, 290], 300, ten)).toEqual(["10:00", "12:00", ""]);
});

describe("labels of a value axis are as full as the axis is wide", () => {
  const six = (text: string) => text.length * 6;
  const labels = (splits: number[], unit: string, room = 34) => axisLabels(splits, unit, who, room, six);
  test("with the unit", () => expect(labels([0, 4], "%")).toEqual(["0\u00a0%", "4\u00a0%"]));
  test("without it", () => expect(labels([0, 1500], "ms")).toEqual(["0", "1,500"]));
  test("scaled", () => expect(labels([0, -9500], "")).toEqual(["0", "\u22129.5k"]));
  test("or as a power of ten", () => expect(labels([0, 0.00025], "")).toEqual(["0", "2.5E-4"]));
});

describe("points where no line can be", () => {
  const none = undefined;
  test("a first value alone", () => expect(lonely([none, none, 42, none])).toEqual([2]));
  test("two values hardly make a line", () => expect(lonely([none, 1, none, 2])).toEqual([1, 3]));
  test("three do", () => expect(lonely([1, none, 2, 3])).toBeNull());
  test("one between gaps", () => expect(lonely([1, 2, 2, null, 3, none, null, 4, 5, 6])).toEqual([4]));
  test("two after the last gap", () => expect(lonely([1, 2, 3, null, none, 3, 4])).toEqual([5, 6]));
  test("nothing", () => expect(lonely([none, none])).toBeNull());
});

test("many lines have no dot each under the crosshair: a move of the mouse would move them all", () => {
  const many = Array.from({ length: 101 }, (_, i) => line({ key: `0|${i}` }));
  expect(options(shape(many)).cursor?.points?.show).toBe(false);
  expect(options(shape(many.slice(0, 100))).cursor?.points?.show).toBeUndefined();
});

test("labels of an axis are told apart by the digits that differ", () => {
  const wide = (text: string) => text.length * 6;
  const splits = [99_999.98, 100_000, 100_000.02];
  expect(axisLabels(splits, "", who, 100, wide)).toEqual(["99,999.98", "100,000.00", "100,000.02"]);
  expect(axisLabels(splits, "", who, 36, wide)).toEqual(["…99.98", "…00.00", "…00.02"]);
});
