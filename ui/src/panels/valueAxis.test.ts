import { expect, test } from "vitest";
import { ticksOn, valueAxis } from "./valueAxis";

const rows = (...list: [number, number][]) => list.map(([low, high]) => ({ low, high }));

test("values that are far apart are on a logarithmic axis, unless somebody says so", () => {
  const near = rows([150, 250], [100, 150]);
  const far = rows([10, 100], [1, 10]);
  expect(valueAxis(near).log).toBe(false);
  expect(valueAxis(far).log).toBe(true);
  expect(valueAxis(near, { log: true }).log).toBe(true);
  expect(valueAxis(far, { log: false }).log).toBe(false);
  // What is below zero has no logarithm.
  expect(valueAxis(rows([1, 100], [-1, 1]), { log: true }).log).toBe(false);
});

test("an axis ends where the chart says, and what is beyond is at its end", () => {
  const axis = valueAxis(rows([10, 100], [1, 10]), { min: 10, max: 1000 });
  expect([axis.low, axis.high, axis.log]).toEqual([10, 1000, true]);
  expect([axis.at(10), axis.at(100), axis.at(1000)].map((v) => Number(v.toFixed(6)))).toEqual([0, 0.5, 1]);
  expect([axis.at(1), axis.at(5000)]).toEqual([0, 1]);
  expect(valueAxis(rows([10, 20]), { max: 5 }).at(10)).toBe(1);
});

test("zero has room of its own on a logarithmic axis", () => {
  const axis = valueAxis(rows([10, 100], [1, 10], [0, 0]));
  expect(axis.room).toBeCloseTo(1 / 3);
  expect([axis.at(0), axis.at(1), axis.at(10), axis.at(100)].map((v) => Math.round(3 * v))).toEqual([0, 1, 2, 3]);
  expect(ticksOn(axis, 6)).toEqual([0, 1, 3, 10, 30, 100].slice(0, 6));
});

test("ticks are round values, as many as have room", () => {
  const latency = valueAxis(rows([10, 3000]));
  expect(ticksOn(latency, 7)).toEqual([10, 30, 100, 300, 1000, 3000]);
  expect(ticksOn(latency, 9)).toEqual([10, 20, 50, 100, 200, 500, 1000, 2000]);
  expect(ticksOn(latency, 3)).toEqual([10, 100, 1000]);
  expect(ticksOn(latency, 2)).toEqual([10, 1000]);
  expect(ticksOn(valueAxis(rows([7.3, 41]), { log: true }), 6)).toEqual([8, 10, 15, 20, 30, 40]);
  expect(ticksOn(valueAxis(rows([95, 105])), 6)).toEqual([96, 98, 100, 102, 104]);
  expect(ticksOn(valueAxis(rows([1.1, 1.4]), { log: true }), 6)).toEqual(
    [1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4].filter((_, i) => i % 2 === 0),
  );
  expect(ticksOn(valueAxis(rows([1e-10, 1e15])), 6).length).toBeLessThanOrEqual(6);
});
