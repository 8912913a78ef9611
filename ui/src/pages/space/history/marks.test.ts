import { expect, test } from "vitest";
import { compare } from "../../../history/compare";
import { marksOf, spaceOf } from "./marks";

const chart = (id: number, version = 1) => ({ id, version, name: `Chart ${id}`, type: "line" });
const box = (id: number, row: number) => ({ chart: id, row, col: 0, width: 2, height: 2 });

test("each chart has one mark", () => {
  const was = { name: "Shop", charts: [chart(1), chart(2), chart(3), chart(5)], layout: [box(1, 0), box(2, 2)] };
  const is = { name: "Shops", charts: [chart(1, 2), chart(2), chart(4), chart(5)], layout: [box(1, 2), box(2, 0)] };
  const rows = compare("space", was, is, { service: String });
  expect([...marksOf(rows)].sort(([a], [b]) => a - b)).toEqual([
    [1, "Changed"],
    [2, "Moved"],
    [3, "Removed"],
    [4, "Added"],
  ]);
});

test("charts without a place come after the others, and those with one keep their size", () => {
  const { boxes, sections, defaults } = spaceOf({ charts: [chart(1), chart(2)], layout: [box(1, 0), box(7, 2)] });
  expect(boxes).toEqual([box(1, 0), { chart: 2, row: 0, col: 2, width: 6, height: 5 }]);
  expect([sections, defaults]).toEqual([[], []]);
});
