import { expect, test } from "vitest";
import {
  abilities,
  draftOf,
  narrowed,
  narrowedTo,
  type Piece,
  replaced,
  scopeWords,
  sentenceOf,
  tagOf,
  tagWords,
  wholeOrg,
} from "./scope";

const said = (all: Piece[]) => all.map((p) => p.text).join("");

test("tags are read as they are typed", () => {
  expect(tagOf("region=eu,us")).toEqual({ name: "region", values: ["eu", "us"] });
  expect(tagOf("site")).toEqual({ name: "site", values: [] });
  expect(tagOf("path=a=b")).toEqual({ name: "path", values: ["a=b"] });
  expect(tagWords("region=eu,us")).toBe("region is any of 2");
  expect(tagWords("site=ams")).toBe("site is ams");
});

test("nothing is sent for what is not narrowed", () => {
  expect(narrowed(wholeOrg, "recorder")).toEqual({});
  expect(narrowed({ ...wholeOrg, only: true }, "recorder")).toEqual({});
  expect(narrowed({ ...wholeOrg, only: true, metrics: ["a.*"] }, "admin")).toEqual({});
  expect(narrowed({ ...wholeOrg, only: true, add: ["team=shop"] }, "viewer")).toEqual({});
  const all = { ...wholeOrg, only: true, metrics: ["a.*", "b"], tags: ["site=ams"], networks: ["10.0.0.0/8"] };
  expect(narrowed(all, "recorder")).toEqual({
    scope: { metrics: ["a.*", "b"], tags: [{ name: "site", values: ["ams"] }] },
    networks: ["10.0.0.0/8"],
  });
});

test("what a token reads is narrowed, without what is added to what is sent", () => {
  const draft = { ...wholeOrg, only: true, metrics: ["a.*"], tags: ["site=ams"], add: ["team=shop"] };
  const scope = { metrics: ["a.*"], tags: [{ name: "site", values: ["ams"] }] };
  expect(narrowed(draft, "viewer")).toEqual({ scope });
  expect(said(sentenceOf("viewer", draft, undefined))).toBe(
    "Read measurements named a.* with site=ams, from anywhere.",
  );
  expect(narrowedTo({ role: "viewer", scope })).toBe("Reads a.* with site=ams");
  expect(narrowedTo({ role: "recorder", scope })).toBe("Sends a.* with site=ams");
  expect(narrowedTo({ role: "viewer", scope: { metrics: [], tags: [] } })).toBe("");
});

test("what is added is sent, and said", () => {
  const draft = { ...wholeOrg, only: true, add: ["team=shop", "site=a=b"] };
  const add = [
    { name: "team", value: "shop" },
    { name: "site", value: "a=b" },
  ];
  expect(narrowed(draft, "recorder")).toEqual({ scope: { metrics: [], tags: [], add } });
  expect(draftOf({ scope: { metrics: [], tags: [], add }, networks: [] })).toEqual(draft);
  expect(said(sentenceOf("recorder", draft, undefined))).toBe(
    "Send any measurement, which get team=shop and site=a=b, from anywhere.",
  );
  expect(said(sentenceOf("recorder", { ...draft, add: ["a=1", "b=1", "c=1", "d=1"] }, undefined))).toBe(
    "Send any measurement, which get 4 tags, from anywhere.",
  );
  expect(scopeWords({ metrics: [], tags: [], add })).toBe("all metrics, and adds team=shop and site=a=b");
});

test("a scope in words", () => {
  expect(scopeWords({ metrics: [], tags: [] })).toBe("");
  expect(scopeWords({ metrics: ["a.*", "b"], tags: [] })).toBe("a.* or b");
  expect(scopeWords({ metrics: [], tags: [{ name: "site", values: ["ams", "fra"] }] })).toBe(
    "all metrics with site=ams or fra",
  );
});

test("one sentence of what a token can do", () => {
  const draft = {
    ...wholeOrg,
    only: true,
    metrics: ["a.*", "b"],
    tags: ["site=ams", "region=eu,us"],
    networks: ["10.0.0.1", "10.2.0.0/16"],
  };
  expect(said(sentenceOf("recorder", draft, 1_802_779_200))).toBe(
    "Send measurements named a.* or b with site=ams and one of 2 values of region, from 2 networks, until 16 Feb 2027.",
  );
  expect(
    said(sentenceOf("recorder", { ...draft, metrics: ["a", "b", "c", "d"], tags: [], networks: [] }, undefined)),
  ).toBe("Send measurements of 4 names and patterns, from anywhere.");
  expect(said(sentenceOf("recorder", wholeOrg, undefined))).toBe("Send any measurement, from anywhere.");
  // What is not for the role does not count.
  expect(said(sentenceOf("admin", { ...draft, networks: ["10.0.0.1"] }, undefined))).toBe(
    "Read, change and delete everything, tokens included, from 10.0.0.1.",
  );
  expect(said(sentenceOf("viewer", { ...draft, only: false, networks: [] }, undefined))).toBe(
    "Read metrics, spaces, alerts and annotations, from anywhere.",
  );
});

test("four things that a token can do or not", () => {
  for (const role of ["recorder", "viewer", "admin"] as const) expect(abilities(role, false)).toHaveLength(4);
  expect(abilities("recorder", false).filter((a) => a.can)).toHaveLength(2);
  // With a scope it sends, or reads, and does nothing else.
  for (const role of ["recorder", "viewer"] as const)
    expect(abilities(role, true).map((a) => a.can)).toEqual([true, false, false, false]);
});

test("makes the draft of a token, and of a draft the token again", () => {
  const token = {
    scope: { metrics: ["edge.*"], tags: [{ name: "site", values: ["ams", "fra"] }] },
    networks: ["10.0.0.0/8"],
  };
  const draft = draftOf(token);
  expect(draft).toEqual({ only: true, metrics: ["edge.*"], tags: ["site=ams,fra"], add: [], networks: ["10.0.0.0/8"] });
  expect(replaced(draft, "recorder")).toEqual(token);
  const widened = { ...draft, only: false, networks: [] };
  expect(replaced(widened, "recorder")).toEqual({ scope: { metrics: [], tags: [] }, networks: [] });
});
