import { expect, test } from "vitest";
import { keyName } from "./shortcuts";

test("keys are named alike on every system", () => {
  const press = (key: string, more = {}) => keyName({ key, metaKey: false, ctrlKey: false, altKey: false, ...more });
  expect(press("K", { metaKey: true })).toBe("mod+k");
  expect(press("k", { ctrlKey: true })).toBe("mod+k");
  expect(press("G")).toBe("g");
  expect(press("Escape")).toBe("Escape");
});
