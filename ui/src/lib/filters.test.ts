import { expect, test } from "vitest";
import {
  chartFollows,
  dynamicOf,
  filterSentence,
  filtersIn,
  filtersOf,
  filterText,
  filterWords,
  followed,
  followTag,
  tagsOf,
} from "./filters";

test("filters live in the address; defaults hold until something is said", () => {
  const defaults = [{ name: "environment", values: ["production"] }];
  expect(filtersOf({}, defaults)).toEqual([{ name: "environment", values: ["production"], not: false }]);
  expect(filtersOf({ "tag.environment": "*" }, defaults)).toEqual([]);
  expect(filtersOf({ "tag.region": "eu,us", "tag.host": "!web-01" })).toEqual([
    { name: "region", values: ["eu", "us"], not: false },
    { name: "host", values: ["web-01"], not: true },
  ]);
});

test("taking a default away says so", () => {
  expect(filterText([], false, true)).toBe("*");
  expect(filterText([], false)).toBeUndefined();
  expect(filterText(["a", "b"], true)).toBe("!a,b");
});

test("dynamic tags get values and grouping", () => {
  expect(dynamicOf([{ name: "region", values: ["eu"], not: true }], ["region", "host"])).toEqual([
    { name: "region", values: ["!eu"], grouped: true },
    { name: "host", values: [], grouped: true },
  ]);
});

test("which charts follow", () => {
  expect(chartFollows({ streams: [{ metric: "m", tags: [{ name: "region", dynamic: true }] }] }, "region")).toBe(true);
  expect(chartFollows({ streams: [{ composite: 's("m", {"region":"%"})' }] }, "region")).toBe(true);
  expect(chartFollows({ streams: [{ composite: 's("m", {"region":"eu"})' }] }, "region")).toBe(false);
  const made = followTag([{ metric: "m", tags: [{ name: "region", values: ["eu"] }] }], "region");
  expect(chartFollows({ streams: made }, "region")).toBe(true);
});

test("chips in words", () => {
  expect(filterWords({ name: "r", values: ["eu"], not: false })).toEqual({ verb: "is", what: "eu", mono: true });
  expect(filterWords({ name: "r", values: ["a", "b", "c"], not: false })).toEqual({
    verb: "is any of",
    what: "3",
    mono: false,
  });
});

test("a new stream follows the filter of the space, as far as its metric has the tags", () => {
  const filters = [{ name: "region" }, { name: "host" }, { name: "zone" }];
  expect(followed(["host", "region"], filters, [{ name: "host", grouped: true }])).toEqual([
    { name: "host", grouped: true },
    { name: "region", dynamic: true },
  ]);
  expect(followed([], filters)).toEqual([]);
});

test("what fills dynamic tags is made of filters, and these can be found in it again", () => {
  const filters = [
    { name: "region", values: ["eu", "us"], not: false },
    { name: "host", values: ["web-01"], not: true },
  ];
  expect(filtersIn(dynamicOf(filters, ["zone"]))).toEqual(filters);
});

test("where a filter cannot be changed it is a sentence, and saved ones may leave out", () => {
  const saved = [{ name: "env", values: ["!test", "!dev"] }, { name: "zone" }];
  expect(filtersOf({}, saved)).toEqual([{ name: "env", values: ["test", "dev"], not: true }]);
  expect(tagsOf(filtersOf({}, saved))).toEqual([saved[0]]);
  const tag = (name: string, values: string[], grouped = false) => ({ name, values, grouped });
  expect(filterSentence([tag("env", ["!test", "!dev"]), tag("zone", ["a", "b"]), tag("host", [], true)])).toBe(
    "env is not test nor dev, zone is a or b, one line per host",
  );
  expect(filterSentence([tag("host", [..."abcdef"])])).toBe("host is any of 6");
  expect(filterSentence([])).toBe("");
});
