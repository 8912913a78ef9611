import { expect, test } from "vitest";
import { parseTransform } from "./transform";

test.each([
  ["x", 7],
  ["x/p", 7 / 60],
  ["x*8/1000", 0.056],
  ["(x - 2) * 3 + p", 75],
  ["-x", -7],
  ["1 - x * .5", -2.5],
])("%s", (text, want) => expect(parseTransform(text)?.(7, 60)).toBeCloseTo(want));

test.each(["", "x+", "(x", "y*2", "x x", "alert(1)"])("%s is no formula", (text) =>
  expect(parseTransform(text)).toBeUndefined(),
);
