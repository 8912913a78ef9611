import { expect, test } from "vitest";
import { twoRows } from "./fit";
import { isolate } from "./Legend";
import { sparkPath } from "./Sparkline";

test("a click isolates, Ctrl adds, a second click shows all", () => {
  const one = isolate(new Set(), "a", false);
  expect([...one]).toEqual(["a"]);
  expect([...isolate(one, "b", true)]).toEqual(["a", "b"]);
  expect([...isolate(one, "b", false)]).toEqual(["b"]);
  expect(isolate(one, "a", false).size).toBe(0);
});

test("a gap lifts the pen", () => {
  const { line } = sparkPath([0, 1, null, 1, 0], 4, 10, 0, 1);
  expect(line).toBe("M0.0 10.0L1.0 0.0M3.0 0.0L4.0 10.0");
});

test("as many names as stand in two lines, the rest behind a number", () => {
  const of = (n: number) => new Array<number>(n).fill(86);
  expect(twoRows(of(6), 6, 300)).toBe(6);
  expect(twoRows(of(7), 7, 300)).toBe(5);
  expect(twoRows(of(40), 120, 300)).toBe(5);
  expect(twoRows(of(40), 120, 300, 150)).toBe(3);
  expect(twoRows([500, 500, 500], 3, 300)).toBe(1);
});
