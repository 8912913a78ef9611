import { expect, test } from "vitest";
import { only, parseSearch, stringifySearch, withTags } from "./search";

test("addresses stay readable and come back as they were", () => {
  const search = { from: "-6h", to: undefined, "tag.region": "eu-central,us-east", q: 'sum(s("a","*"))' };
  const text = stringifySearch(search);
  expect(text).toContain("?from=-6h&tag.region=eu-central,us-east&q=");
  expect(parseSearch(text)).toEqual({ from: "-6h", "tag.region": "eu-central,us-east", q: 'sum(s("a","*"))' });
  expect(stringifySearch({})).toBe("");
});

test("numbers stay text", () => expect(parseSearch("?from=1763000000")).toEqual({ from: "1763000000" }));

test("pages take what they know", () => {
  expect(only("q")({ q: "a", x: "b" })).toEqual({ q: "a" });
  expect(withTags("from")({ from: "-1h", "tag.a": "b", junk: "c" })).toEqual({ from: "-1h", "tag.a": "b" });
});
