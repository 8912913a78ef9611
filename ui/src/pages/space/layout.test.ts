import { describe, expect, test } from "vitest";
import type { GridPosition } from "../../api/ui.gen";
import { arrange, clamp, freePlace, inOrder, put, settle, spoken } from "./layout";

const box = (chart: number, col: number, row: number, width = 6, height = 4): GridPosition => ({
  chart,
  col,
  row,
  width,
  height,
});
const at = (boxes: GridPosition[], chart: number) => {
  const b = boxes.find((x) => x.chart === chart);
  return b && [b.col, b.row];
};
function noOverlap(boxes: GridPosition[]) {
  for (const a of boxes)
    for (const b of boxes)
      if (a.chart < b.chart)
        expect(
          a.col < b.col + b.width && b.col < a.col + a.width && a.row < b.row + b.height && b.row < a.row + a.height,
        ).toBe(false);
}

test("charts without a place go below, side by side", () => {
  const out = arrange(
    [],
    [
      { id: 1, type: "line" },
      { id: 2, type: "line" },
      { id: 3, type: "bignumber" },
    ],
  ); // prettier-ignore
  expect(out.map((b) => [b.col, b.row, b.width, b.height])).toEqual([
    [0, 0, 6, 5],
    [6, 0, 6, 5],
    [0, 5, 3, 2],
  ]);
});

test("boxes of charts that are gone are forgotten", () => {
  expect(arrange([box(1, 0, 0), box(9, 6, 0)], [{ id: 1, type: "line" }])).toHaveLength(1);
});

describe("moving", () => {
  const start = [box(1, 0, 0), box(2, 6, 0), box(3, 0, 4), box(4, 6, 4)];
  test("others flow down and nothing overlaps", () => {
    const out = put(start, 1, { col: 6, row: 0, width: 6, height: 4 });
    noOverlap(out);
    expect(at(out, 1)).toEqual([6, 0]);
    expect(at(out, 2)?.[1]).toBeGreaterThanOrEqual(4);
  });
  test("a wider box pushes its neighbour", () => {
    const out = put(start, 1, { col: 0, row: 0, width: 9, height: 4 });
    noOverlap(out);
    expect(at(out, 2)).toEqual([6, 4]);
  });
  test("what is put far down rises", () =>
    expect(at(put(start, 3, { col: 0, row: 30, width: 6, height: 4 }), 3)).toEqual([0, 4]));
  test.each([
    [0, 2],
    [3, 1],
    [6, 5],
    [2, 0],
    [6, 3],
  ])("to %d, %d", (col, row) => {
    for (const chart of [1, 2, 3, 4]) noOverlap(put(start, chart, { col, row, width: 6, height: 4 }));
  });
});

test("boxes stay inside and large enough", () => {
  expect(clamp({ col: 10, row: -2, width: 6, height: 1 }, "line")).toEqual({ col: 6, row: 0, width: 6, height: 3 });
  expect(clamp({ col: 0, row: 0, width: 1, height: 1 }, "bignumber")).toEqual({ col: 0, row: 0, width: 2, height: 2 });
});

test("settling twice changes nothing", () => {
  const once = settle([box(1, 0, 3), box(2, 3, 9), box(3, 0, 5)]);
  expect(settle(once)).toEqual(once);
  noOverlap(once);
});

test("free places, order and words", () => {
  expect(freePlace([box(1, 0, 0)], { width: 6, height: 5 })).toEqual({ col: 6, row: 0, width: 6, height: 5 });
  expect(inOrder([box(1, 6, 0), box(2, 0, 0)]).map((b) => b.chart)).toEqual([2, 1]);
  expect(spoken("Latency", { col: 3, row: 1, width: 6, height: 4 })).toBe("Latency, column 4, row 2, 6 wide, 4 high");
});
