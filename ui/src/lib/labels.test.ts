import { expect, test } from "vitest";
import { labelList, labelsFull, labelsOf, passes, readFilter, readLabel, toggled, writeFilter } from "./labels";

test("what is typed is a label, or says what is wrong with it", () => {
  expect(readLabel(" team = checkout ")).toEqual({ name: "team", value: "checkout" });
  expect(readLabel("link=a=b")).toEqual({ name: "link", value: "a=b" });
  const said = (text: string) => (readLabel(text) as { problem: string }).problem;
  expect(said("=x")).toBe("Name of the label is missing. Write team=checkout.");
  expect(said("team")).toBe("Value of team is missing. Write team=value.");
  expect(said("my team=x")).toBe("Label may have letters, digits and . : - _ in its name only. Remove the blank.");
  expect(said(`${"n".repeat(65)}=x`)).toBe("Name of the label has 65 characters; 64 are allowed.");
  expect(said(`team=${"v".repeat(256)}`)).toBe("Value of team has 256 characters; 255 are allowed.");
});

test("there are twenty at most, and one of them may be given another value", () => {
  const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`n${i}`, "x"]));
  expect(labelsFull(twenty, "another")).toBe("An alert has 20 labels at most.");
  expect(labelsFull(twenty, "n3")).toBeUndefined();
  expect(labelsFull({}, "another")).toBeUndefined();
});

test("a filter survives the address, whatever the values hold", () => {
  const filter = toggled(toggled(toggled(new Map(), "team", "a,b"), "team", "50%"), "tier", "1=x");
  expect(readFilter(writeFilter(filter))).toEqual(filter);
  expect(writeFilter(toggled(readFilter("team=a"), "team", "a"))).toBe("");
  expect(readFilter("nothing,=x")).toEqual(new Map());
});

test("one value of each name has to fit", () => {
  const filter = readFilter("team=checkout,team=search,tier=1");
  expect(passes({ team: "search", tier: "1" }, filter)).toBe(true);
  expect(passes({ team: "search", tier: "2" }, filter)).toBe(false);
  expect(passes({ tier: "1" }, filter)).toBe(false);
  expect(passes({}, new Map())).toBe(true);
});

test("labels are listed by name, and counted", () => {
  expect(labelList({ tier: "1", team: "a" })).toEqual(["team=a", "tier=1"]);
  expect(labelsOf([{ labels: { team: "a" } }, { labels: { team: "a", tier: "1" } }])).toEqual([
    { name: "team", value: "a", count: 2 },
    { name: "tier", value: "1", count: 1 },
  ]);
});
