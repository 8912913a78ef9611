import { expect, test } from "vitest";
import { csvOf, withPast } from "./cells";
import type { Line } from "./data";
import type { Past } from "./past";

const line = (key: string, values: Line["values"]) => ({ key, label: key, values, mono: false, unit: "ms" }) as Line;
const w = { start: 1600, end: 1780, step: 60 };
const past: Past = {
  lines: [line("a", [10, null, 30])],
  loaded: { window: { start: 1000, end: 1180, step: 60 }, results: [], took: 0 },
  by: 600,
  than: "a week before",
};
const now = [line("a", [12, 20, undefined]), line("new", [1, 2, 3])];

test("beside each line is what it was, and the difference where both are there", () => {
  expect(withPast(now, w, past).map(({ label, values }) => [label, ...values])).toEqual([
    ["a", 12, 20, undefined],
    ["a, a week before", 10, null, 30],
    ["a, difference", 2, null, null],
    ["new", 1, 2, 3],
    ["new, a week before", null, null, null],
    ["new, difference", null, null, null],
  ]);
  expect(withPast(now, w, undefined)).toBe(now);
});

test("a file has a row for each time", () => {
  expect(csvOf(withPast(now.slice(0, 1), w, past), w)).toBe(
    [
      'time,a,"a, a week before","a, difference"',
      "1970-01-01T00:26:40.000Z,12,10,2",
      "1970-01-01T00:27:40.000Z,20,,",
      "1970-01-01T00:28:40.000Z,,30,",
      "",
    ].join("\r\n"),
  );
});
