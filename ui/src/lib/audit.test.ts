import { expect, test } from "vitest";
import { changes, deed, who } from "./audit";

test("who and what", () => {
  expect(who("user:a@example.org")).toBe("a@example.org");
  expect(who("token:edge")).toBe("Token edge");
  expect(who("cli")).toBe("The operator");
  expect(deed("token.rotate")).toBe("rotated");
  expect(deed("new.thing")).toBe("new.thing");
});

test("changes, one line a field", () => {
  expect(changes(null)).toEqual([]);
  expect(changes({ active: { from: true, to: false }, role: "viewer" })).toEqual([
    { field: "active", text: "true → false" },
    { field: "role", text: "viewer" },
  ]);
});
