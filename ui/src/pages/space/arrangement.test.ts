import { expect, test } from "vitest";
import { foldedByDefault, renamed, swapped, toSection, without } from "./arrangement";
import { arrange, inOrder, put } from "./layout";

const box = (chart: number, section = 0, row = 0) => ({
  chart,
  col: 0,
  row,
  width: 6,
  height: 5,
  ...(section && { section }),
});
const boxes = [box(1), box(2, 1), box(3, 1, 5), box(4, 2)];
const sections = [{ name: "Feel" }, { name: "Hosts", folded: true }];
const placed = (all: { chart: number; section?: number; row: number }[]) =>
  inOrder(all as typeof boxes).map((b) => [b.chart, b.section ?? 0, b.row]);

test("each section has a grid of its own", () => {
  expect(
    placed(
      arrange(
        boxes,
        [1, 2, 3, 4].map((id) => ({ id, type: "line" })),
      ),
    ),
  ).toEqual([
    [1, 0, 0],
    [2, 1, 0],
    [3, 1, 5],
    [4, 2, 0],
  ]);
  expect(
    placed(
      put(
        boxes.filter((b) => b.section === 1),
        3,
        { col: 0, row: 0, width: 6, height: 5 },
      ),
    ),
  ).toEqual([
    [3, 1, 0],
    [2, 1, 5],
  ]);
});

test("a chart goes to the end of another section", () => {
  expect(placed(toSection(boxes, 1, 1))).toEqual([
    [2, 1, 0],
    [3, 1, 5],
    [1, 1, 10],
    [4, 2, 0],
  ]);
  expect(placed(toSection(boxes, 4, 0))[1]).toEqual([4, 0, 5]);
});

test("sections change places with their charts", () => {
  const after = swapped({ sections, boxes }, 1, 1);
  expect(after.sections.map((s) => s.name)).toEqual(["Hosts", "Feel"]);
  expect(placed(after.boxes).map(([c, s]) => [c, s])).toEqual([
    [1, 0],
    [4, 1],
    [2, 2],
    [3, 2],
  ]);
  expect(swapped({ sections, boxes }, 1, -1)).toEqual({ sections, boxes });
});

test("the charts of a section that goes away are kept in the one before", () => {
  const after = without({ sections, boxes }, 1);
  expect(after.sections).toEqual([sections[1]]);
  expect(placed(after.boxes)).toEqual([
    [1, 0, 0],
    [2, 0, 5],
    [3, 0, 10],
    [4, 1, 0],
  ]);
});

test("sections have names, and may be folded at first", () => {
  expect(renamed(sections, 1, "Customers")[0]?.name).toBe("Customers");
  expect(foldedByDefault(sections, 2, false)).toEqual([{ name: "Feel" }, { name: "Hosts" }]);
  expect(foldedByDefault(sections, 1, true)[0]).toEqual({ name: "Feel", folded: true });
});
