import { expect, test } from "vitest";
import { axisRange, axisSplits, dragStep, rightRange } from "./axis";

test.each([
  [12, 460],
  [0, 1530],
  [0.001, 0.42],
  [-30, 80],
  [0, 7],
  [0, 121],
])("%d to %d has four to six labels, zero among them", (lo, hi) => {
  const [from, to] = axisRange(lo, hi);
  const splits = axisSplits(from, to);
  expect(splits.length).toBeGreaterThanOrEqual(3);
  expect(splits.length).toBeLessThanOrEqual(6);
  expect(splits).toContain(0);
  expect(to).toBeGreaterThanOrEqual(hi);
});

test("set ends are kept", () => {
  expect(axisRange(12, 460, { min: 10, max: 100 })).toEqual([10, 100]);
  expect(axisRange(12, 460, { min: 10 })[0]).toBe(10);
});

test("no data and one value still make an axis", () => {
  expect(axisRange(null, null)).toEqual([0, 1]);
  expect(axisRange(5, 5, { min: 5 })[1]).toBeGreaterThan(5);
});

test("log axes are powers of ten", () => {
  expect(axisRange(12, 5600, { log: true })).toEqual([10, 10000]);
  expect(axisSplits(10, 10000, true)).toEqual([10, 100, 1000, 10000]);
  expect(axisRange(0, 0, { log: true })).toEqual([1, 10]);
});

test("thresholds are dragged in steps people would type", () => {
  expect(dragStep(0, 480)).toBe(5);
  expect(dragStep(0, 4.8)).toBe(0.05);
});

test("values that lie close together have an axis of their own, where that is allowed", () => {
  const [from, to] = axisRange(99_999.98, 100_000.02, { fit: true });
  expect(from).toBeGreaterThan(99_999);
  expect(to).toBeLessThan(100_001);
  expect(axisRange(99_999.98, 100_000.02)[0]).toBe(0);
  expect(axisRange(90_000, 100_000, { fit: true })[0]).toBe(0);
  expect(axisRange(5, 5, { fit: true })[0]).toBe(0);
  expect(axisRange(99_999.98, 100_000.02, { fit: true, min: 0 })[0]).toBe(0);
});

test("a right axis has round numbers on the grid of the left one", () => {
  for (const [left, hi] of [
    [104, 7],
    [0.62, 1234],
    [52_000, 0.034],
    [9.36, 99],
  ] as const) {
    const [from, to] = rightRange([0, left], 0, hi, {});
    expect(from).toBe(0);
    expect(to).toBeGreaterThanOrEqual(hi);
    const there = axisSplits(0, left).map((v) => Number(((v / left) * to).toPrecision(12)));
    expect(there.filter((v) => Number(v.toPrecision(3)) !== v)).toEqual([]);
  }
  expect(rightRange([0, 100], 0, 7, { max: 10 })).toEqual([0, 10]);
  expect(rightRange([-5, 100], 0, 7, {})).toEqual(axisRange(0, 7));
  expect(rightRange([0, 100], -1, 7, {})).toEqual(axisRange(-1, 7));
});
