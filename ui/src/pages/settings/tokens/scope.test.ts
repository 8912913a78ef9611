import { expect, test } from "vitest";
import { canSend, narrowed, scopeWords, tagsOf, wholeOrg } from "./scope";

test("tags are read as they are typed", () => {
  expect(tagsOf(" site=ams  region=eu,us ")).toEqual([
    { name: "site", values: ["ams"] },
    { name: "region", values: ["eu", "us"] },
  ]);
  expect(tagsOf("site")).toEqual([{ name: "site", values: [] }]);
  expect(tagsOf("path=a=b")).toEqual([{ name: "path", values: ["a=b"] }]);
});

test("nothing is sent for what is not narrowed", () => {
  expect(narrowed(wholeOrg, "recorder")).toEqual({});
  expect(narrowed({ ...wholeOrg, only: true }, "recorder")).toEqual({});
  expect(narrowed({ ...wholeOrg, only: true, metrics: "a.*" }, "viewer")).toEqual({});
  expect(narrowed({ only: true, metrics: "a.*, b", tags: "site=ams", networks: "10.0.0.0/8" }, "recorder")).toEqual({
    scope: { metrics: ["a.*", "b"], tags: [{ name: "site", values: ["ams"] }] },
    networks: ["10.0.0.0/8"],
  });
});

test("a scope in words", () => {
  expect(scopeWords({ metrics: [], tags: [] })).toBe("");
  expect(scopeWords({ metrics: ["a.*", "b"], tags: [] })).toBe("a.* or b");
  expect(scopeWords({ metrics: [], tags: [{ name: "site", values: ["ams", "fra"] }] })).toBe(
    "all metrics with site=ams or fra",
  );
  expect(canSend({ only: true, metrics: "a.*", tags: "site=ams", networks: "10.0.0.1" }, "recorder")).toBe(
    "It can send a.* with site=ams, and can read nothing. It works from 10.0.0.1 only.",
  );
  expect(canSend(wholeOrg, "admin")).toBe("");
});
