import { expect, test } from "vitest";
import { sideOf } from "./sideOf";

test("what floats is below its button where there is room, else above", () => {
  expect(sideOf({ above: 100, below: 500 }, 300, undefined)).toBe("below");
  expect(sideOf({ above: 500, below: 200 }, 300, undefined)).toBe("above");
  expect(sideOf({ above: 100, below: 200 }, 300, undefined)).toBe("below");
});

test("it stays on its side while it shrinks and grows", () => {
  const room = { above: 500, below: 200 };
  expect(sideOf(room, 300, "above")).toBe("above");
  expect(sideOf(room, 120, "above")).toBe("above");
  expect(sideOf(room, 120, undefined)).toBe("above"); // it may grow
});

test("it changes sides only where it has to", () => {
  expect(sideOf({ above: 500, below: 200 }, 300, "below")).toBe("above");
  expect(sideOf({ above: 100, below: 200 }, 300, "below")).toBe("below");
});
