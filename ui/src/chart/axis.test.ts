import { expect, test } from "vitest";
import { axisRange, axisSplits, dragStep } from "./axis";

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
