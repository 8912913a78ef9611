import { expect, test } from "vitest";
import { fittingRow } from "./Wall";

const box = (row: number, height: number) => ({ chart: row, col: 0, row, width: 12, height });

test("rows of a wall display are as low as all charts need to be in sight, within what can be read", () => {
  const tall = [box(0, 5), box(5, 5), box(10, 5)];
  const row = fittingRow(tall, 1080);
  expect(15 * (row + 12)).toBeLessThanOrEqual(1080 - 92);
  expect(15 * (fittingRow(tall, 1080, 108) + 12)).toBeLessThanOrEqual(1080 - 160); // while an alert fires
  expect(fittingRow([box(0, 2)], 1080)).toBe(70);
  expect(fittingRow([box(0, 60)], 1080)).toBe(24);
});
