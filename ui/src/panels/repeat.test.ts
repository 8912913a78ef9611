import { expect, test } from "vitest";
import type { Loaded } from "../api/series";
import { apart } from "./repeat";

const series = (host: string | undefined) => ({ tags: host ? { host } : {}, times: [], values: [] });

test("a chart falls apart by the values of a tag", () => {
  const loaded = {
    window: { start: 0, end: 60, step: 60 },
    took: 1,
    results: [
      { id: "0", series: [series("web-10"), series("web-2"), series(undefined)] },
      { id: "1", series: [series("web-2")] },
    ],
  } as unknown as Loaded;
  const copies = apart(loaded, "host");
  expect(copies.map((c) => c.value)).toEqual(["web-2", "web-10"]);
  expect(copies.map((c) => c.loaded.results.map((r) => r.series.length))).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(apart(loaded, "region")).toEqual([]);
});
