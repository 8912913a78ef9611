import { expect, test } from "vitest";
import type { ChartDraft } from "../api/types";
import type { Line } from "../chart/data";
import { arranged, byChange, numberOf, scaleOf, sortOf, tableOf } from "./table";

const line = (stream: number, endpoint: string, values: (number | null)[], unit = "ms"): Line => ({
  key: `${stream}|${endpoint}`,
  label: endpoint,
  mono: true,
  unit,
  axis: 0,
  paint: { slot: 0 },
  stream,
  tags: { endpoint, service: "shop" },
  values,
});
const chart: ChartDraft = {
  name: "Slowest endpoints",
  type: "line",
  streams: [
    { metric: "latency", name: "p95", thresholds: [{ operator: ">", value: 300, type: "yellow" }] },
    { metric: "errors", hidden: true },
    { metric: "rate" },
  ],
  attributes: { kind: "table" },
};
const lines = [line(0, "/pay", [100, 462]), line(0, "/add", [90, 141]), line(2, "/pay", [2, 3], "/s")];

test("streams are columns, groups are rows, and what is hidden is neither", () => {
  const t = tableOf(chart, lines, false);
  expect(t.by).toEqual(["endpoint"]);
  expect(t.columns.map((c) => [c.label, c.unit, c.thresholds.length])).toEqual([
    ["p95", "ms", 1],
    ["rate", "/s", 0],
  ]);
  expect(t.rows.map((r) => [r.name, r.cells])).toEqual([
    ["/pay", [462, 3]],
    ["/add", [141, null]],
  ]);
});

test("a row that is alone is named by its tags, too", () => {
  const [pay] = lines;
  expect(tableOf(chart, pay ? [pay] : [], false).rows.map((r) => r.name)).toEqual(["/pay, shop"]);
});

test("a row has the range of the column that the table is sorted by, and all rows one scale", () => {
  const past = (sort: number, incomplete: boolean) =>
    tableOf({ ...chart, attributes: { ...chart.attributes, sort } }, lines, incomplete).rows.map((r) => r.past);
  expect(past(0, false)).toEqual([
    [100, 462],
    [90, 141],
  ]);
  expect(past(2, true)).toEqual([[2], []]);
  const of = (...past: (number | null)[]) => ({ key: "", name: "", tags: {}, cells: [], past, change: null });
  expect(scaleOf([of(90, null, 141), of(100, 462)])).toEqual([0, 462]);
  expect(scaleOf([of(-5, 3), of()])).toEqual([-5, 3]);
});

test("a number is the last whole one, or what the range comes to", () => {
  const l = { values: [1, 2, 9] };
  expect(numberOf(l, null, false)).toBe(9);
  expect(numberOf(l, "last", true)).toBe(2);
  expect(numberOf(l, "mean", true)).toBe(1.5);
  expect(numberOf(l, "sum", false)).toBe(12);
  expect(numberOf({ values: [] }, "max", false)).toBe(null);
});

test("rows without a number are last, names break ties as people count", () => {
  const row = (name: string, v: number | null) => ({ key: name, name, tags: {}, cells: [v], past: [], change: null });
  const rows = [row("web-10", 5), row("web-2", 5), row("web-1", null), row("web-3", 7)];
  expect(arranged(rows, 0, false).map((r) => r.name)).toEqual(["web-3", "web-2", "web-10", "web-1"]);
  expect(arranged(rows, 0, true).map((r) => r.name)).toEqual(["web-2", "web-10", "web-3", "web-1"]);
  expect(arranged(rows, -1, true).map((r) => r.name)).toEqual(["web-1", "web-2", "web-3", "web-10"]);
});

test("a row says how much more it is than it was, and can be sorted by that", () => {
  const then = [line(0, "/pay", [100, 420]), line(0, "/add", [90, 100]), line(2, "/pay", [1, 1], "/s")];
  const { rows } = tableOf(chart, [...lines, line(0, "/new", [1, 2])], false, then);
  expect(rows.map((r) => r.change)).toEqual([10, 41, null]);
  expect(arranged(rows, byChange, false).map((r) => r.name)).toEqual(["/add", "/pay", "/new"]);
  expect(arranged(rows, byChange, true).map((r) => r.name)).toEqual(["/pay", "/add", "/new"]);
});

test("a table is sorted by a stream that is shown", () => {
  expect(sortOf(chart)).toBe(0);
  expect(sortOf({ ...chart, attributes: { sort: 2 } })).toBe(2);
  expect(sortOf({ ...chart, attributes: { sort: 1 } })).toBe(0);
});
