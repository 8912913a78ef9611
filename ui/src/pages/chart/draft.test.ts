import { expect, test } from "vitest";
import { axisUnit, empty, letter, moveStream, patchStream, payload, same, setAxisUnit, unitOptions } from "./draft";

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
