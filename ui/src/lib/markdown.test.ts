import { expect, test } from "vitest";
import { blocksOf, runsOf } from "./markdown";

test("addresses are links, without the full stop after them", () => {
  expect(runsOf("See https://wiki.example.org/a_b?c=1. Or [the wiki](https://wiki.example.org).")).toEqual([
    { kind: "text", text: "See " },
    { kind: "link", text: "https://wiki.example.org/a_b?c=1", href: "https://wiki.example.org/a_b?c=1" },
    { kind: "text", text: ". Or " },
    { kind: "link", text: "the wiki", href: "https://wiki.example.org" },
    { kind: "text", text: "." },
  ]);
});

test("pages of our own can be linked", () => {
  expect(runsOf("[Queue workers](/spaces/4)")).toEqual([{ kind: "link", text: "Queue workers", href: "/spaces/4" }]);
});

test("what cannot be followed stays text", () => {
  expect(runsOf("[x](javascript:alert)")).toEqual([{ kind: "text", text: "[x](javascript:alert)" }]);
  expect(runsOf("[x](//example.org)")).toEqual([{ kind: "text", text: "[x](//example.org)" }]);
  expect(runsOf("<b>a</b> 2 * 3 * 4")).toEqual([{ kind: "text", text: "<b>a</b> 2 * 3 * 4" }]);
});

test("bold and code", () => {
  expect(runsOf("**Never** run `drop *`")).toEqual([
    { kind: "bold", text: "Never" },
    { kind: "text", text: " run " },
    { kind: "code", text: "drop *" },
  ]);
});

test("paragraphs keep their lines; lists, headings and code are their own", () => {
  const kinds = blocksOf("one\ntwo\n\n## Then\n- a\n- b\n1. c\n```\nx\n\ny\n```\nend");
  expect(kinds.map((b) => b.kind)).toEqual(["text", "head", "list", "list", "code", "text"]);
  expect(kinds[0]).toMatchObject({ lines: [[{ text: "one" }], [{ text: "two" }]] });
  expect(kinds[2]).toMatchObject({ numbered: false, items: [[{ text: "a" }], [{ text: "b" }]] });
  expect(kinds[3]).toMatchObject({ numbered: true });
  expect(kinds[4]).toEqual({ kind: "code", text: "x\n\ny" });
  expect(blocksOf("```\nopen").at(-1)).toEqual({ kind: "code", text: "open" });
});
