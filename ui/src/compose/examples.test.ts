import { expect, test } from "vitest";
import { exampleOf, matching } from "./examples";

const f = (name: string, help: string, options: string[] = []) => ({ name, signature: `${name}(set)`, help, options });
const all = [
  f("mean", "The arithmetic mean of the values of each time."),
  f("moving_average", "The mean of each point and those before it.", ["size"]),
  f("top", "The count series with the highest mean.", ["count", "function"]),
];

test("functions are found by their names and by what they do", () => {
  expect(matching(all, "").map((x) => x.name)).toEqual(["mean", "moving_average", "top"]);
  expect(matching(all, "top").map((x) => x.name)).toEqual(["top"]);
  expect(matching(all, "highest MEAN").map((x) => x.name)).toEqual(["top"]);
  expect(matching(all, "mov").map((x) => x.name)).toEqual(["moving_average"]);
  expect(matching(all, "histogram")).toEqual([]);
});

test("each has an example", () => {
  expect(all.map(exampleOf)).toEqual([
    'mean(s("cpu.user", "*"))',
    'moving_average(s("cpu.user", "*"), {size:"10"})',
    'top(s("cpu.user", "*"), {count:"5"})',
  ]);
  expect(exampleOf(f("divide", "", []))).toMatch(/^divide\(\[.+, .+\]\)$/);
});
