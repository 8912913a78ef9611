import { expect, test } from "vitest";
import type { Result } from "./query";
import { spacingOf } from "./series";

const minutes = Array.from({ length: 10 }, (_, i) => i * 60);
const result = (times: number[], period?: number): Result => ({
  id: "0",
  series: [{ tags: {}, times, values: times }],
  ...(period && { period }),
});
const asked = (step: number) => ({ start: 0, end: 600, step });

test("the resolution is what came, not what was asked for", () => {
  expect(spacingOf({ window: asked(1), results: [result(minutes)] })).toBe(60);
  expect(spacingOf({ window: asked(300), results: [result(minutes)] })).toBe(300);
  expect(spacingOf({ window: asked(1), results: [result(minutes), result([0, 10, 20])] })).toBe(10);
  expect(spacingOf({ window: asked(1), results: [result([], 60)] })).toBe(60);
  expect(spacingOf({ window: asked(1), results: [result([5])] })).toBeUndefined();
  expect(spacingOf({ window: asked(1), results: [] })).toBeUndefined();
  const [seldom, often] = [result([0, 300, 600]), result(minutes)];
  expect(spacingOf({ window: asked(1), results: [{ id: "0", series: [...seldom.series, ...often.series] }] })).toBe(60);
});
