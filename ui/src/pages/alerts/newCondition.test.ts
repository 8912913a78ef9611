import { expect, test } from "vitest";
import { justAbove } from "./newCondition";

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
