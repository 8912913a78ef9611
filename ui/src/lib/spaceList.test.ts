import { expect, test } from "vitest";
import type { SpaceSummary } from "../api/types";
import { listed, ownersOf, tagsOf } from "./spaceList";

const space = (name: string, more: Partial<SpaceSummary> = {}): SpaceSummary => ({
  id: 1,
  name,
  charts: 0,
  opened_at: 0,
  pin: 0,
  pinned: false,
  tags: [],
  owner: 0,
  owner_name: "",
  edited_at: 0,
  edited_by: "",
  ...more,
});
const all = [
  space("Zoo", { tags: ["db"], owner: 2, owner_name: "bob@example.org", edited_at: 30, charts: 3 }),
  space("Alps", { tags: ["db", "shop"], edited_at: 20, opened_at: 5 }),
  space("Mill", { pinned: true, owner: 1, owner_name: "ann@example.org", edited_at: 10, charts: 3 }),
];
const names = (l: Parameters<typeof listed>[1]) => listed(all, l).map((s) => s.name);

test("spaces are sorted by what is asked for, and by name where that is the same", () => {
  expect(names({})).toEqual(["Mill", "Alps", "Zoo"]);
  expect(names({ sort: "name" })).toEqual(["Alps", "Mill", "Zoo"]);
  expect(names({ sort: "-name" })).toEqual(["Zoo", "Mill", "Alps"]);
  expect(names({ sort: "edited" })).toEqual(["Zoo", "Alps", "Mill"]);
  expect(names({ sort: "opened" })).toEqual(["Alps", "Mill", "Zoo"]);
  expect(names({ sort: "charts" })).toEqual(["Mill", "Zoo", "Alps"]);
  expect(names({ sort: "owner" })).toEqual(["Mill", "Zoo", "Alps"]);
  expect(names({ sort: "constructor" })).toEqual(["Mill", "Alps", "Zoo"]);
});

test("spaces are found by name, tag and owner", () => {
  expect(names({ q: "SHOP db" })).toEqual(["Alps"]);
  expect(names({ q: "bob" })).toEqual(["Zoo"]);
  expect(names({ tag: "db", owner: "0" })).toEqual(["Alps"]);
  expect(names({ q: "nothing" })).toEqual([]);
});

test("tags and owners to choose from", () => {
  expect(tagsOf(all)).toEqual([
    { tag: "db", spaces: 2 },
    { tag: "shop", spaces: 1 },
  ]);
  expect(ownersOf(all).map((o) => o.name)).toEqual(["ann@example.org", "bob@example.org", "Nobody"]);
});
