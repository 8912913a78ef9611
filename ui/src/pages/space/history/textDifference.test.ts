import { expect, test } from "vitest";
import { nearby, textDifference, textOf } from "./textDifference";

const said = (before: string, after: string) =>
  textDifference(before, after).map((l) => `${{ same: " ", added: "+", removed: "-" }[l.kind]}${l.text}`);

test("lines that came and went, in their places", () => {
  expect(said("a\nb\nc\nd", "a\nx\nc\nd\ne")).toEqual([" a", "-b", "+x", " c", " d", "+e"]);
  expect(said("a", "a")).toEqual([" a"]);
  expect(said("a\na\nb", "a\nb")).toEqual([" a", "-a", " b"]);
  expect(said("a\nb\na", "b")).toEqual(["-a", " b", "-a"]);
});

test("texts that are too long to be compared are replaced as a whole", () => {
  const [a, b] = ["a", "b"].map((letter) => Array.from({ length: 2001 }, (_, i) => letter + i).join("\n"));
  expect(textDifference(a ?? "", b ?? "").map((l) => l.kind)).toEqual([
    ...Array(2001).fill("removed"),
    ...Array(2001).fill("added"),
  ]);
});

test("what is alike and far from a difference is left out", () => {
  const lines = textDifference("1\n2\n3\n4\n5\n6", "1\n2\n3\n4\n5\nsix");
  expect(nearby(lines, 1)).toEqual([
    { kind: "left out", lines: 4 },
    { kind: "same", text: "5" },
    { kind: "removed", text: "6" },
    { kind: "added", text: "six" },
  ]);
});

test("a space as text has the charts that are at hand", () => {
  const space = { name: "Shop", charts: [1, 2].map((id) => ({ id, version: 3, name: "", type: "line" })) };
  const text = textOf(space, (id, version) => (id === 2 && version === 3 ? { name: "Orders" } : undefined));
  expect(JSON.parse(text)).toEqual({ name: "Shop", charts: [space.charts[0], { name: "Orders" }] });
});
