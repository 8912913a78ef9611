import { expect, test } from "vitest";
import type { Line } from "../chart/data";
import { rowAt, streamRows, strength, valueRows } from "./heatmap";

const line = (label: string, values: (number | null | undefined)[]) =>
  ({ label, values, unit: "ms", tags: {} }) as unknown as Line;

test("streams are rows, those with the highest average on top", () => {
  const heat = streamRows([line("web-10", [1, 2]), line("web-2", [1, 2]), line("web-1", [5, null])]);
  expect(heat.rows.map((r) => r.label)).toEqual(["web-1", "web-2", "web-10"]);
  expect([heat.low, heat.high, heat.shown(5)]).toEqual([1, 5, "5\u00a0ms"]);
  expect(streamRows(Array.from({ length: 300 }, (_, i) => line(`w${i}`, [i]))).rows.length).toBe(200);
  expect(streamRows([])).toMatchObject({ rows: [], low: 0, high: 0 });
});

test("values are rows that count streams, the highest on top", () => {
  const heat = valueRows([line("a", [0, 10]), line("b", [0, null]), line("c", [10, 10])], {});
  expect(heat.rows.length).toBe(20);
  expect(heat.rows[0]?.cells).toEqual([1, 2]);
  expect(heat.rows[19]?.cells).toEqual([2, undefined]);
  expect(heat.rows[0]?.label).toBe("9.5\u00a0ms to 10\u00a0ms");
  expect([heat.low, heat.high]).toEqual([0, 2]);
});

test("rows of values may be logarithmic, and end where the chart says", () => {
  const heat = valueRows([line("a", [1, 10, 100, 1000, -5])], { min: 1, max: 100, log: true });
  expect(heat.rows[19]?.cells[0]).toBe(1);
  expect(heat.rows[9]?.cells[1]).toBe(1);
  expect(heat.rows[0]?.cells[2]).toBe(1);
  expect(heat.rows.flatMap((r) => r.cells.slice(3)).filter((v) => v != null)).toEqual([]);
});

test("the weakest cell can be seen, and equal values are strong", () => {
  expect(strength(0, { low: 0, high: 10 })).toBeCloseTo(0.08);
  expect(strength(10, { low: 0, high: 10 })).toBe(1);
  expect(strength(5, { low: 5, high: 5 })).toBe(1);
});

test("softer steps tell small values apart, and leave the ends where they are", () => {
  const soft = { low: 0, high: 16, soft: true };
  expect([0, 1, 4, 16].map((v) => Number(strength(v, soft).toFixed(2)))).toEqual([0.08, 0.31, 0.54, 1]);
});

test("a cell says what it is, with the name of its row", () => {
  expect(streamRows([line("web-1", [5, null])]).say(0, 0)).toBe("web-1, 5\u00a0ms");
  expect(streamRows([line("web-1", [5, null])]).say(0, 1)).toBe("web-1, nothing");
  expect(rowAt({ rows: [] }, 0.5)).toBe(0);
});

test("a cell beyond a threshold says so", () => {
  const heat = streamRows([line("web-1", [5, 2])], [{ operator: ">", value: 4, type: "red" }]);
  expect([heat.say(0, 0), heat.say(0, 1)]).toEqual(["web-1, 5\u00a0ms, above 4\u00a0ms", "web-1, 2\u00a0ms"]);
});

test("rows of values make room for a threshold that is near", () => {
  const lines = [line("a", [10, 20])];
  expect(valueRows(lines, { limits: [25] }).axis).toMatchObject({ low: 10, high: 25 });
  expect(valueRows(lines, { limits: [25], max: 22 }).axis).toMatchObject({ low: 10, high: 22 });
  expect(valueRows(lines, { limits: [500, 0] }).axis).toMatchObject({ low: 10, high: 20 });
});
