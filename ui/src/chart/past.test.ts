import { expect, test } from "vitest";
import { before, compareOf, compareWords, shiftOf } from "../time/compare";
import type { Line } from "./data";
import { change, changes, difference, type Past, pastCurrent, pastValue, percentWords } from "./past";
import { pastLevel } from "./pastLevel";

const who = { locale: "en-GB", zone: "UTC" } as never;
const line = (key: string, values: (number | null)[]): Line => ({
  key,
  label: key,
  mono: false,
  unit: "",
  axis: 0,
  paint: { slot: 0 },
  stream: 0,
  tags: {},
  values,
});
/** Between two samples of a line. */
const gap = new Array(5).fill(undefined);
const past: Past = {
  lines: [line("a", [10, 20, 30]), line("b", [1, null, 3])],
  loaded: { window: { start: 1000, end: 1180, step: 60 }, results: [], took: 0 },
  by: 600,
  than: "the period before",
};

test("a window is compared with the one before, whole steps earlier", () => {
  const w = { start: 6000, end: 9650, step: 60 };
  expect(shiftOf("", w)).toBe(0);
  expect(shiftOf("period", w)).toBe(3660);
  expect(shiftOf("1w", w) % 60).toBe(0);
  expect(before(w, 3660)).toEqual({ start: 2340, end: 5990, step: 60 });
  expect(compareOf("1w")).toBe("1w");
  expect(compareOf("nonsense")).toBe("");
  expect(compareWords("4w")).toBe("four weeks before");
});

test("the value of then is that of the same place", () => {
  expect(pastValue(past, "a", 1600)).toBe(10);
  expect(pastValue(past, "a", 1720)).toBe(30);
  expect(pastValue(past, "a", 1800)).toBeNull();
  expect(pastValue(past, "nobody", 1600)).toBeNull();
});

test("the difference is a share with its sign", () => {
  expect(difference(112, 100, who).replace(/\s/g, " ")).toBe("+12 %");
  expect(difference(95, 100, who).replace(/\s/g, " ")).toBe("−5 %");
  expect(difference(-8, -10, who).replace(/\s/g, " ")).toBe("+20 %");
  expect(difference(100, 100, who)).toBe("");
  expect(difference(5, 0, who)).toBe("");
  expect(difference(null, 3, who)).toBe("");
});

test("the value at the end is the last one, though the past ends before the place of now", () => {
  const sparse = { ...past, lines: [line("a", [10, ...gap, 20, ...gap])] };
  expect(pastCurrent(sparse, "a", true)).toBe(20);
  expect(pastValue(sparse, "a", 1600 + 12 * 60)).toBeNull();
  expect(pastCurrent(sparse, "nobody", true)).toBeNull();
  expect([...changes([line("a", [1, ...gap, ...gap, 22])], sparse, false).values()]).toEqual([10]);
});

test("every line has its change, where it can be said", () => {
  const now = [line("a", [10, 22, 60]), line("b", [1, 1, 1]), line("new", [1, 1, 1])];
  expect([...changes(now, past, false).values()]).toEqual([100, change(1, 3), null]);
  expect(changes(now, past, true).get("a")).toBe(10);
  expect(percentWords(12.4, who).replace(/\s/g, " ")).toBe("+12 %");
  expect(percentWords(0, who).replace(/\s/g, " ")).toBe("0 %");
  expect(percentWords(null, who)).toBe("");
});

test("the axis has room for the past of many lines", () => {
  const many = Array.from({ length: 2000 }, (_, n) => line(String(n), new Array(200).fill(n)));
  const [lo, hi] = pastLevel({ ...past, lines: many }, "line").range(500, 600, {});
  expect(lo).toBeLessThanOrEqual(0);
  expect(hi).toBeGreaterThanOrEqual(1999);
});

test("the axis has room for the past", () => {
  const [, hi] = pastLevel(past, "line").range(0, 12, {});
  expect(hi).toBeGreaterThanOrEqual(30);
});
