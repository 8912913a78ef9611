import { expect, test } from "vitest";
import { questionOf } from "../../lib/question";
import { justAbove, newCondition } from "./newCondition";

test.each([
  [6241, 6300],
  [467, 470],
  [92.9, 93],
  [0.0164, 0.017],
  [100, 110],
  [9.99, 10],
  [1, 1.1],
  [0, 0],
  [-4, 0],
])("just above %d is %d", (v, want) => expect(justAbove(v)).toBe(want));

test("a condition begins with the streams that were looked at", () => {
  const c = newCondition("m", 5, questionOf({ "tag.env": "prod", group: "host", summary: "max" }));
  expect(c.tags).toEqual([
    { name: "env", values: ["prod"] },
    { name: "host", grouped: true },
  ]);
  expect(c.summary_function).toBe("max");
});
