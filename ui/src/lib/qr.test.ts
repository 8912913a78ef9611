import { expect, test } from "vitest";
import { path, qr } from "./qr";

const rows = (text: string) => qr(text)?.map((r) => r.map((c) => (c ? "#" : ".")).join(""));

// Read back by another program when it was written; it must not change unseen.
test("a short text", () => {
  expect(rows("A")).toMatchInlineSnapshot(`
    [
      "#######..###..#######",
      "#.....#.#.###.#.....#",
      "#.###.#...#...#.###.#",
      "#.###.#..#....#.###.#",
      "#.###.#.##..#.#.###.#",
      "#.....#...#.#.#.....#",
      "#######.#.#.#.#######",
      "...........##........",
      "#.#.#.#...##....#..#.",
      "#..###...#....#...##.",
      ".#....#.###.#...#...#",
      "#.#.#....##...#...#..",
      "#.#..##.#.#.#.#.#.#.#",
      "........####.#.#.#.#.",
      "#######....#.###.####",
      "#.....#..#.###.###...",
      "#.###.#.##.#.###.##.#",
      "#.###.#.......#...##.",
      "#.###.#.##..#...#...#",
      "#.....#..##...#...##.",
      "#######.#...#.#.#.###",
    ]
  `);
});

test("the size grows with the text, until there is none", () => {
  expect([1, 14, 15, 90, 180, 360].map((n) => qr("x".repeat(n))?.length)).toEqual([21, 21, 25, 41, 53, 73]);
  expect(qr("x".repeat(1000))).toBeUndefined();
});

test("dark cells become a path", () => {
  expect(
    path([
      [true, false],
      [false, true],
    ]),
  ).toBe("M0 0h1v1h-1zM1 1h1v1h-1z");
});
