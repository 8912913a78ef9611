import { expect, test } from "vitest";
import {
  axisUnit,
  drawable,
  empty,
  hasBadNumber,
  isBlank,
  letter,
  moveStream,
  ofKind,
  patchStream,
  payload,
  repeatBy,
  rightEnds,
  same,
  setAxisUnit,
  setRightEnds,
  unitOptions,
  unready,
  withRows,
} from "./draft";

test("rows have letters", () => expect([0, 2, 25, 26, 27].map(letter)).toEqual(["A", "C", "Z", "AA", "AB"]));

test("a change takes away what it says is undefined", () => {
  expect(patchStream([{ metric: "a", color: "#fff" }, { metric: "b" }], 0, { color: undefined, name: "x" })).toEqual([
    { metric: "a", name: "x" },
    { metric: "b" },
  ]);
});

test("rows move, and not out of the list", () => {
  const rows = [{ metric: "a" }, { metric: "b" }, { metric: "c" }];
  expect(moveStream(rows, 0, 2).map((s) => s.metric)).toEqual(["b", "c", "a"]);
  expect(moveStream(rows, 0, -1)).toBe(rows);
});

test("empty rows are not sent and do not count as a change", () => {
  const one = { ...empty, name: "a", streams: [{ metric: "m" }] };
  expect(payload({ ...one, streams: [...one.streams, {}] }).streams).toEqual([{ metric: "m" }]);
  expect(same(one, { ...one, name: "a ", streams: [{ metric: "m" }, {}] })).toBe(true);
  expect(same(one, { ...one, min: null })).toBe(true);
  expect(same(one, { ...one, min: 0 })).toBe(false);
});

test("units belong to an axis", () => {
  const rows = [
    { metric: "a", units_short: "ms" },
    { metric: "b", units_short: "ms" },
    { metric: "c", split_axis: true, units_short: "%" },
  ];
  expect(axisUnit(rows, false)).toBe("ms");
  expect(axisUnit(rows, true)).toBe("%");
  expect(axisUnit(setAxisUnit(rows, false, "s"), false)).toBe("s");
  expect(setAxisUnit(rows, true, "")[2]).toEqual({ metric: "c", split_axis: true });
  expect(unitOptions("furlongs").at(-1)?.value).toBe("furlongs");
});

test("a draft is blank until something is chosen", () => {
  expect(isBlank(empty)).toBe(true);
  expect(isBlank({ ...empty, streams: [{ gap_detection: true }, { type: "composite", composite: "" }] })).toBe(true);
  expect(isBlank({ ...empty, streams: [{}, { metric: "m" }] })).toBe(false);
});

test("the ends of the right axis are kept with the streams on it", () => {
  const rows = [
    { metric: "a", min: 1 },
    { metric: "b", split_axis: true },
    { metric: "c", split_axis: true },
  ];
  const set = setRightEnds(setRightEnds(rows, { min: 0 }), { max: 100 });
  expect(set).toEqual([
    { metric: "a", min: 1 },
    { metric: "b", split_axis: true, min: 0, max: 100 },
    { metric: "c", split_axis: true, min: 0, max: 100 },
  ]);
  expect(rightEnds(set)).toEqual({ min: 0, max: 100 });
  expect(setRightEnds(set, { min: null })[1]).toEqual({ metric: "b", split_axis: true, max: 100 });
});

test("an end of the right axis that is no number is neither saved nor drawn", () => {
  const draft = { ...empty, streams: setRightEnds([{ metric: "b", split_axis: true }], { max: Number.NaN }) };
  expect(hasBadNumber(draft)).toBe(true);
  expect(drawable(draft).streams).toEqual([{ metric: "b", split_axis: true }]);
});

test("a kind that old clients do not know has a type that they do", () => {
  expect(ofKind(empty, "gauge")).toEqual({ type: "bignumber", attributes: { kind: "gauge" } });
  expect(ofKind(empty, "bar").type).toBe("stacked");
  expect(ofKind(empty, "text").type).toBe("line");
  const table = { ...empty, attributes: { kind: "table", top: 6 } } as const;
  expect(ofKind(table, "stacked")).toEqual({ type: "stacked", attributes: { kind: null, top: 6 } });
  // There and back is no change.
  expect(same(empty, { ...empty, ...ofKind({ ...empty, ...ofKind(empty, "table") }, "line") })).toBe(true);
});

test("a chart is repeated by a tag that keeps its streams apart", () => {
  const draft = { ...empty, streams: [{ metric: "a", tags: [{ name: "host", dynamic: true }] }, { composite: "x" }] };
  expect(repeatBy(draft, "host")).toEqual({
    streams: [{ metric: "a", tags: [{ name: "host", dynamic: true, grouped: true }] }, { composite: "x" }],
    attributes: { repeat: "host" },
  });
  expect(repeatBy(draft, "").attributes).toEqual({ repeat: null });
});

test("what is missing is said before it is sent", () => {
  const line = { ...empty, streams: [{ metric: "m" }] };
  const text = (t: string) => ({ ...empty, attributes: { kind: "text" as const, text: t } });
  expect(unready(empty)).toMatch(/Choose a metric/);
  expect(unready(text(" "))).toBe("Write something first.");
  expect(unready(text("a".repeat(40_000)))).toBe("The text is too long.");
  expect(unready(text("# Hello"))).toBeUndefined();
  expect(unready({ ...empty, attributes: { kind: "alerts" } })).toBeUndefined();
  expect(unready(line)).toBeUndefined();
  expect(unready({ ...line, thresholds: [{ operator: ">", value: Number.NaN, type: "red" }] })).toMatch(/number/);
  expect(unready({ ...line, attributes: { bands: [{ from: 2, to: 1, type: "red" }] } })).toMatch(/band/);
  expect(unready({ ...line, attributes: { links: [{ title: "", url: "https://a.example.org" }] } })).toMatch(/link/);
  expect(unready({ ...line, attributes: { links: [{ title: "a", url: "javascript:1" }] } })).toMatch(/link/);
  expect(
    unready({ ...line, attributes: { links: [{ title: "a", url: "https://{host}.example.org" }] } }),
  ).toBeUndefined();
  expect(unready({ ...line, attributes: { top: Number.NaN } })).toMatch(/Rows/);
});

test("a heatmap that becomes a distribution shows cells and percentiles, unless it says what", () => {
  expect(withRows("distribution")).toEqual({ rows: "distribution", layers: "both", color_scale: "sqrt" });
  expect(withRows("distribution", { layers: "cells", color_scale: "linear" })).toEqual({
    rows: "distribution",
    layers: "cells",
    color_scale: "linear",
  });
  expect(withRows("values", { layers: "cells" })).toEqual({ rows: "values" });
});
