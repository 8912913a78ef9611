import { expect, test } from "vitest";
import type { Line } from "../chart/data";
import { countLines, countsOf, distributionRows, rowAt, streamRows, strength, valueRows } from "./heatmap";

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

const w = { start: 0, end: 120, step: 60 };
const range = (low: number, high: number, values: number[], times = [0, 60]) => ({
  tags: {},
  low,
  high,
  times,
  values,
});
const result = (...series: ReturnType<typeof range>[]) => [{ id: "0", series }];

test("values are counted in their ranges, the highest on top, with their share of a step", () => {
  const heat = distributionRows(result(range(100, 200, [1, 0]), range(200, 400, [3, 4])), w, "ms");
  expect(heat.rows.map((r) => r.label)).toEqual(["200\u00a0ms to 400\u00a0ms", "100\u00a0ms to 200\u00a0ms"]);
  expect(heat.rows.map((r) => r.cells)).toEqual([
    [0.75, 1],
    [0.25, undefined],
  ]);
  expect(heat.say(0, 0)).toBe("3 values, 75\u00a0% of this step");
  expect([heat.say(1, 0), heat.say(1, 1)]).toEqual(["1 value, 25\u00a0% of this step", "nothing"]);
  expect(heat.about).toBe("8 values from 100\u00a0ms to 400\u00a0ms");
  expect(heat.sums).toEqual([
    ["200\u00a0ms to 400\u00a0ms", "7", "87.5\u00a0%"],
    ["100\u00a0ms to 200\u00a0ms", "1", "12.5\u00a0%"],
  ]);
});

test("an axis is by powers where values are far apart, and zero has a row of its own", () => {
  const near = distributionRows(result(range(100, 150, [1, 1]), range(150, 250, [1, 1])), w, "");
  expect(near.rows.map((r) => [r.from, r.to].map((at) => Math.round(3 * at)))).toEqual([
    [0, 2],
    [2, 3],
  ]);
  const far = distributionRows(result(range(0, 0, [1, 1]), range(1, 10, [1, 1]), range(10, 100, [1, 1])), w, "");
  for (const [i, third] of [0, 1, 2].entries()) {
    expect(far.rows[i]?.from).toBeCloseTo(third / 3);
    expect(far.rows[i]?.to).toBeCloseTo((third + 1) / 3);
  }
  expect(rowAt(far, 0.5)).toBe(1);
  expect(rowAt({ rows: [] }, 0.5)).toBe(0);
});

test("without powers zero is a line, whatever is below and above", () => {
  const { rows } = distributionRows(result(range(-4, -2, [1, 1]), range(0, 0, [1, 1]), range(2, 4, [1, 1])), w, "");
  expect(rows[1]?.from).toBeCloseTo(0.5);
  expect(rows[1]?.to).toBeCloseTo(0.505);
});

test("counts are lines of a table, from the lowest range on", () => {
  const lines = countLines(result(range(200, 400, [3, 4]), range(100, 200, [1, 0])), w, "ms");
  expect(lines.map((l) => [l.label, l.values])).toEqual([
    ["100\u00a0ms to 200\u00a0ms", [1, 0]],
    ["200\u00a0ms to 400\u00a0ms", [3, 4]],
  ]);
});

test("what came since in narrower ranges is counted in those that are there", () => {
  const rows = countsOf(result(range(8, 16, [5, 1]), range(8, 10, [2], [60]), range(16, 32, [7], [180])), w);
  expect(rows).toEqual([{ low: 8, high: 16, counts: [5, 3] }]);
});

test("nothing has no rows", () => expect(distributionRows([], w, "").rows).toEqual([]));
