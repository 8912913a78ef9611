import { expect, test } from "vitest";
import { changes, deed, differences, thing, who } from "./audit";

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
  expect(thing('metric "cpu.load"')).toEqual({ kind: "metric", name: "cpu.load" });
  expect(thing('annotation stream "releases"')).toEqual({ kind: "annotation stream", name: "releases" });
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

test("before and after, down to what differs", () => {
  const alert = (threshold: number, more = {}) => ({ conditions: [{ metric_name: "cpu", threshold, ...more }] });
  expect(
    differences({
      action: "alert.update",
      before: { ...alert(250), description: null, services: [1] },
      after: { ...alert(300, { duration: 600 }), description: "busy", services: [1, 2] },
    }),
  ).toEqual([
    { field: "Conditions 1, threshold", before: "250", after: "300" },
    { field: "Description", after: "busy" },
    { field: "Services", before: "1", after: "1, 2" },
    { field: "Conditions 1, duration", after: "600" },
  ]);
  expect(differences({ action: "member.update", before: { role: "viewer" }, after: { role: "member" } })).toEqual([
    { field: "Role", before: "Viewer", after: "Member" },
  ]);
  expect(differences({ action: "space.create" })).toEqual([]);
  expect(differences({ action: "token.create", after: { active: true, expires_at: 0 } })).toEqual([
    { field: "Status", after: "Active" },
    { field: "Expires", after: "never" },
  ]);
});
