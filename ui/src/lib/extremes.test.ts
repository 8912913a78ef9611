import { expect, test } from "vitest";
import { extremes } from "./extremes";

test("the least and the most of lists, however long", () => {
  expect(extremes([])).toBeUndefined();
  expect(extremes([[null, undefined]])).toBeUndefined();
  expect(extremes([[3, null, -1], [undefined], [7]])).toEqual([-1, 7]);
  expect(extremes([Array.from({ length: 400_000 }, (_, i) => i)])).toEqual([0, 399_999]);
});
