import { expect, test } from "vitest";
import { changes, deed, thing, who } from "./audit";

test("who and what", () => {
  expect(who("user:a@example.org")).toBe("a@example.org");
  expect(who("token:edge")).toBe("Token edge");
  expect(who("cli")).toBe("The operator");
  expect(deed("token.rotate")).toBe("gave a new value to the token");
  expect(deed("new.thing")).toBe("new.thing");
});

test("what an entry is about", () => {
  expect(thing('token 7 "say "hi""')).toEqual({ kind: "token", id: 7, name: 'say "hi"' });
  expect(thing("user 3")).toEqual({ kind: "user", id: 3, name: "" });
  expect(thing("user a@example.org")).toEqual({ kind: "user", name: "a@example.org" });
  expect(thing("space 1")).toEqual({ kind: "space", id: 1, name: "" });
  expect(thing("organization")).toEqual({ kind: "organization", name: "" });
  expect(thing("something new")).toEqual({ kind: "other", name: "something new" });
});

test("changes, one line a field, in the interface's words", () => {
  expect(changes(null, "token.update")).toEqual([]);
  expect(changes({ active: { from: true, to: false }, role: { from: "admin", to: "viewer" } }, "token.update")).toEqual(
    [
      { field: "Status", from: "Active", to: "Inactive" },
      { field: "Role", from: "Full Access", to: "View Only" },
    ],
  );
  expect(changes({ role: "viewer" }, "member.update")).toEqual([{ field: "Role", to: "Viewer" }]);
  expect(changes({ expires_at: { from: 0, to: 0 } }, "token.update")).toEqual([
    { field: "Expires", from: "never", to: "never" },
  ]);
});
