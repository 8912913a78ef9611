import { expect, test } from "vitest";
import type { TagFilter } from "../api/types";
import { toggleValue, withoutValues } from "./tagFilters";

const grouped: TagFilter = { name: "host", grouped: true, values: ["*"] };

test("values come and go", () => {
  const one = toggleValue([], "region", "eu");
  expect(one).toEqual([{ name: "region", values: ["eu"] }]);
  const two = toggleValue(one, "region", "us");
  expect(two).toEqual([{ name: "region", values: ["eu", "us"] }]);
  expect(toggleValue(two, "region", "eu")).toEqual([{ name: "region", values: ["us"] }]);
  expect(toggleValue(one, "region", "eu")).toEqual([]);
});

test("a tag that groups does so before and after it has values", () => {
  const some = toggleValue([grouped], "host", "web-01");
  expect(some).toEqual([{ name: "host", grouped: true, values: ["web-01"] }]);
  expect(toggleValue(some, "host", "web-01")).toEqual([grouped]);
  expect(withoutValues(some, some[0] as TagFilter)).toEqual([grouped]);
});
