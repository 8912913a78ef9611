import { expect, test } from "vitest";
import { amount, countLines, countsOf } from "./counts";
import {
  cellWords,
  distributionRows,
  isLogarithmic,
  lookOf,
  mostIn,
  percentileName,
  percentilePaint,
  percentileSums,
  percentilesOf,
} from "./distribution";
import { rowAt } from "./heatmap";

const w = { start: 0, end: 120, step: 60 };
const range = (low: number, high: number, values: number[], times = [0, 60]) => ({
  tags: {},
  low,
  high,
  times,
  values,
});
const percentile = (p: number, values: number[], metric = "latency") => ({
  tags: {},
  metric,
  percentile: p,
  times: [0, 60],
  values,
});
const result = (...series: (ReturnType<typeof range> | ReturnType<typeof percentile>)[]) => [{ id: "0", series }];

test("values are counted in their ranges, the highest on top, with their share of a step", () => {
  const heat = distributionRows(result(range(100, 200, [1, 0]), range(200, 400, [3, 4])), w, "ms");
  expect(heat.rows.map((r) => r.label)).toEqual(["200\u00a0ms to 400\u00a0ms", "100\u00a0ms to 200\u00a0ms"]);
  expect(heat.rows.map((r) => r.cells)).toEqual([
    [0.75, 1],
    [0.25, undefined],
  ]);
  expect(heat.say(0, 0)).toBe("200\u00a0ms to 400\u00a0ms, 3 values, 75\u00a0% of this step");
  expect([heat.say(1, 0), heat.say(1, 1)]).toEqual([
    "100\u00a0ms to 200\u00a0ms, 1 value, 25\u00a0% of this step",
    "100\u00a0ms to 200\u00a0ms, nothing",
  ]);
  expect(heat.about).toBe("8 values from 100\u00a0ms to 400\u00a0ms, most 200\u00a0ms to 400\u00a0ms");
  expect(heat.spread?.sums).toEqual([
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

test("a chart that says nothing shows cells by their share; others what they say", () => {
  expect(lookOf(undefined)).toMatchObject({ cells: true, lines: false, byCount: false, soft: false });
  expect(lookOf({ layers: "both", color_by: "count", color_scale: "sqrt" })).toMatchObject({
    cells: true,
    lines: true,
    byCount: true,
    soft: true,
  });
  expect(lookOf({ layers: "percentiles" })).toMatchObject({ cells: false, lines: true });
});

test("colours may be counts, and values beyond the ends of the axis are left out of the picture only", () => {
  const results = result(range(100, 200, [1, 0]), range(200, 400, [3, 4]), range(400, 800, [0, 1]));
  const heat = distributionRows(results, w, "ms", lookOf({ color_by: "count" }, { max: 400 }));
  expect(heat.rows.map((r) => r.cells)).toEqual([
    [3, 4],
    [1, undefined],
  ]);
  expect([heat.high, heat.shown(4)]).toEqual([4, "4"]);
  expect(heat.spread && cellWords(heat.spread, 0, 1)).toBe("4, 80\u00a0%");
  expect(heat.spread?.sums.length).toBe(3);
  expect(heat.spread?.totals).toEqual([4, 5]);
});

test("percentiles are lines in the order of the chart, and skip the colour of cells", () => {
  const lines = percentilesOf(result(range(1, 2, [1, 1]), percentile(50, [1, 2]), percentile(99.9, [3, 4])), w);
  expect(lines.map((l) => [l.label, l.values])).toEqual([
    ["p50", [1, 2]],
    ["p99.9", [3, 4]],
  ]);
  const paints = Array.from({ length: 7 }, (_, i) => JSON.stringify(percentilePaint(i)));
  expect(new Set(paints).size).toBe(7);
  expect(paints).not.toContain(JSON.stringify({ slot: 0 }));
  expect([percentileName(99), percentileName(99.99)]).toEqual(["p99", "p99.99"]);
  const two = percentilesOf(result(percentile(50, [1, 2], "a"), percentile(50, [3, 4], "b")), w);
  expect(two.map((l) => l.label)).toEqual(["a p50", "b p50"]);
});

test("percentiles are said: the highest one, what each is now, and all of a step where there are no cells", () => {
  const results = result(
    range(100, 200, [9, 9]),
    range(200, 2000, [1, 1]),
    percentile(99, [1130, 500]),
    percentile(50, [150, 120]),
  );
  const { spread, about, say } = distributionRows(results, w, "ms", lookOf({ layers: "percentiles" }));
  expect(about).toBe("20 values from 100\u00a0ms to 2\u00a0s, most 100\u00a0ms to 200\u00a0ms, p99 now 500\u00a0ms");
  expect(say(0, 0)).toBe("10 values, p99 1.13\u00a0s, p50 150\u00a0ms");
  expect(spread && percentileSums(spread, false)[0]).toEqual(["p99", "500\u00a0ms", "500\u00a0ms", "1.13\u00a0s"]);
  expect(spread && percentileSums(spread, true)[0]?.[1]).toBe("1.13\u00a0s");
});

test("most values are in the fewest ranges that hold more than half of them", () => {
  const rows = [1, 6, 2, 4, 3].map((n, i) => ({ low: 10 - i, high: 11 - i, counts: [n] }));
  expect(mostIn(rows)).toEqual({ low: 7, high: 10 });
  expect(mostIn([])).toBeUndefined();
});

test("an axis is logarithmic by itself where values are far apart", () => {
  const loaded = (high: number) => ({ results: result(range(1, high, [1, 1])), window: w, took: 0 });
  expect([
    isLogarithmic({}, loaded(5)),
    isLogarithmic({}, loaded(50)),
    isLogarithmic({ min: 0, max: 4 }, loaded(50)),
  ]).toEqual([false, true, false]);
});

test("a thousand milliseconds are a second", () => {
  expect([amount(999, "ms"), amount(1000, "ms"), amount(1130, "s"), amount(null, "ms")]).toEqual([
    "999\u00a0ms",
    "1\u00a0s",
    "1,130\u00a0s",
    "–",
  ]);
});
