import { expect, test } from "vitest";
import type { Line } from "./data";
import { arranged, isBadLimit, isBeyond, type Limit, matches, rowsOf, tagsOf, wholeView } from "./streams";

const line = (tags: Record<string, string>, ...values: (number | null)[]): Line => ({
  key: JSON.stringify(tags),
  label: Object.values(tags).join(" "),
  mono: true,
  unit: "",
  axis: 0,
  paint: { slot: 0 },
  stream: 0,
  tags,
  values,
});
const lines = [
  line({ env: "prod", host: "web-2", zone: "a" }, 5, 1),
  line({ env: "prod", host: "web-10", zone: "b" }, 1, 9),
  line({ env: "prod", host: "db-1", zone: "b" }, 3, 3),
  line({ env: "prod", host: "quiet", zone: "b" }, null, null),
];
const rows = rowsOf(lines);
const hosts = (view: Partial<typeof wholeView>) =>
  arranged(rows, { ...wholeView, ...view }).map((r) => r.line.tags.host);

test("tags that all streams share are told apart from those that differ", () => {
  expect(tagsOf(lines)).toEqual({ differing: ["host", "zone"], shared: [["env", "prod"]] });
});

test("rows are sorted by any column; what has no number is last both ways", () => {
  expect(hosts({})).toEqual(["web-2", "web-10", "db-1", "quiet"]);
  expect(hosts({ sort: "last" })).toEqual(["web-2", "db-1", "web-10", "quiet"]);
  expect(hosts({ sort: "-max" })).toEqual(["web-10", "web-2", "db-1", "quiet"]);
  expect(hosts({ sort: "host" })).toEqual(["db-1", "quiet", "web-2", "web-10"]);
});

test("rows are sorted by how much they changed, while they are compared", () => {
  const changed = new Map(lines.map((l, i) => [l.key, [5, -20, 300, null][i] ?? null]));
  const of = (view: Partial<typeof wholeView>, rows = rowsOf(lines, changed)) =>
    arranged(rows, { ...wholeView, ...view }).map((r) => r.line.tags.host);
  expect(of({ sort: "-change" })).toEqual(["db-1", "web-2", "web-10", "quiet"]);
  expect(of({ sort: "change", show: "top10" })[0]).toBe("web-10");
  expect(of({ sort: "-change", show: "top10" }, rows)[0]).toBe("web-10");
});

test("looking for a word finds it in any tag, tag:value in that one", () => {
  expect(hosts({ find: "WEB" })).toEqual(["web-2", "web-10"]);
  expect(hosts({ find: "zone:b web" })).toEqual(["web-10"]);
  expect(hosts({ find: "nginx" })).toEqual([]);
  expect(matches({ line: line({ host: "a:b" }), stats: rows[0]?.stats as never }, "a:b")).toBe(true);
});

test("the top and the bottom are of the column that is sorted by, or of the last values", () => {
  expect(hosts({ show: "top10" })).toHaveLength(4);
  const many = rowsOf(Array.from({ length: 30 }, (_, i) => line({ host: `h${i}` }, 30 - i, i)));
  const of = (view: Partial<typeof wholeView>) =>
    arranged(many, { ...wholeView, ...view }).map((r) => r.line.tags.host);
  expect(of({ show: "top10" })[0]).toBe("h29");
  expect(of({ show: "bottom10" })[0]).toBe("h0");
  expect(of({ show: "top10", sort: "-max" })[0]).toBe("h0");
});

test("numbers on one side of a limit are marked, none while it is no number", () => {
  const beyond = (limit: Limit) => [1, 2, 3, null].filter((v) => isBeyond(v, limit));
  expect(beyond({ side: "above", text: "2" })).toEqual([3]);
  expect(beyond({ side: "below", text: "2" })).toEqual([1]);
  for (const text of ["", " ", "x"]) expect(beyond({ side: "below", text })).toEqual([]);
  expect(["", "2", "x"].map((text) => isBadLimit({ side: "above", text }))).toEqual([false, false, true]);
});
