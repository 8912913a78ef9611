import { expect, test } from "vitest";
import { dynamicOf } from "./filters";
import { editedTags, nextTurn, rangeOf, turnTags } from "./playlist";

test("turns go around, and past spaces that are gone", () => {
  const turns = [false, true, false].map((gone) => ({ gone }));
  expect(nextTurn(turns, 0, 1)).toBe(2);
  expect(nextTurn(turns, 2, 1)).toBe(0);
  expect(nextTurn(turns, 0, -1)).toBe(2);
  expect(nextTurn([{ gone: false }], 0, 1)).toBe(0);
  expect(nextTurn([{ gone: true }], 0, 1)).toBe(-1);
  expect(nextTurn([], 0, -1)).toBe(-1);
});

test("ranges are those of the picker", () => {
  expect(rangeOf("")).toEqual({ from: "-6h", to: "" });
  expect(rangeOf("yesterday")).toEqual({ from: "yesterday", to: "today" });
  expect(rangeOf("-2d")).toEqual({ from: "-2d", to: "" });
});

test("the filters of a turn take the place of those of its space, and are edited as they are kept", () => {
  const defaults = [
    { name: "Region", values: ["eu"] },
    { name: "host", values: ["a"] },
  ];
  const tags = [{ name: "region", values: ["!us"], grouped: true }];
  expect(turnTags(defaults, tags)).toEqual([
    { name: "host", values: ["a"], grouped: false },
    { name: "region", values: ["!us"], grouped: true },
  ]);
  const { filters, groups } = editedTags(tags);
  expect(filters).toEqual([{ name: "region", values: ["us"], not: true }]);
  expect(dynamicOf(filters, groups)).toEqual(tags);
  expect(editedTags([{ name: "zone", values: [], grouped: true }])).toEqual({ filters: [], groups: ["zone"] });
});
