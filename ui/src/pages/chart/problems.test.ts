import { expect, test } from "vitest";
import { percentileProblem, typedPercentile } from "./problems";

test("a percentile is any number between 0 and 100 that is not there yet", () => {
  const words = "Any number between 0 and 100, such as 99.9.";
  expect(["0", "99.9", "p75", " 100 "].map((t) => percentileProblem(t, [50]))).toEqual(Array(4).fill(undefined));
  expect(["", "p", "101", "-1", "x"].map((t) => percentileProblem(t, [50]))).toEqual(Array(5).fill(words));
  expect(percentileProblem("p50", [50])).toBe("There is already p50.");
  expect(typedPercentile("p99.9")).toBe(99.9);
});
