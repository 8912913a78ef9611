import { expect, test } from "vitest";
import { bigValue, comparedWith, comparison, crossed, thresholdWords } from "./bigValue";

test("the bucket that is being filled does not count", () => {
  expect(bigValue([1, 2, 3], { use_last_value: true }, undefined, true)).toBe(2);
  expect(bigValue([1, 2, 9], { use_last_value: false }, "max", true)).toBe(2);
  expect(bigValue([1, 2, 3], { use_last_value: false }, "sum", false)).toBe(6);
  expect(bigValue([1, 2, 3], { use_last_value: false }, undefined, false)).toBe(2);
  expect(bigValue([null], {}, undefined, false)).toBeNull();
});

test("red before yellow", () => {
  const both = [
    { operator: ">", value: 300, type: "yellow" },
    { operator: ">", value: 500, type: "red" },
  ] as const;
  expect(crossed(328, [...both])?.type).toBe("yellow");
  expect(crossed(600, [...both])?.type).toBe("red");
  expect(crossed(300, [...both])).toBeUndefined();
  expect(thresholdWords(both[0], "ms").replace("\u00a0", " ")).toBe("above 300 ms");
});

test("against what was chosen", () => {
  expect(comparedWith("a week before", 112, 100, "")).toBe("+12\u00a0% on a week before");
  expect(comparedWith("the period before", 5, 5, "")).toBe("as the period before");
  expect(comparedWith("a week before", 5, null, "")).toBe("no data a week before");
  expect(comparedWith("a week before", null, 5, "")).toBeUndefined();
});

test("against last week", () => {
  expect(comparison(104, 100, "/s")).toBe("+4\u00a0% on last week");
  expect(comparison(0.42, 0.52, "%")).toBe("−0.1 on last week");
  expect(comparison(1, 0, "")).toBeUndefined();
  expect(comparison(5, 5, "")).toBe("as last week");
});
