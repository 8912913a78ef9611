import { expect, test } from "vitest";
import {
  axisUnit,
  drawable,
  empty,
  hasBadNumber,
  isBlank,
  letter,
  moveStream,
  patchStream,
  payload,
  rightEnds,
  same,
  setAxisUnit,
  setRightEnds,
  unitOptions,
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
