import { expect, test } from "vitest";
import { withoutPrefix, withPrefix } from "./prefix";

test("a prefix is put before a path and taken off again", () => {
  for (const path of ["/", "/alerts", "/o/7/alerts/12?x=1"]) {
    expect(withoutPrefix(withPrefix(path, "/tidemark"), "/tidemark")).toBe(path);
    expect(withPrefix(path, "")).toBe(path);
    expect(withoutPrefix(path, "")).toBe(path);
  }
});

test("the prefix alone is the first page", () => {
  expect(withoutPrefix("/tidemark", "/tidemark")).toBe("/");
});

test("a path that only begins like the prefix stays", () => {
  for (const path of ["/tidemarks", "/alerts/tidemark"]) expect(withoutPrefix(path, "/tidemark")).toBe(path);
});
