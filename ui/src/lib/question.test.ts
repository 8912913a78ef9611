import { expect, test } from "vitest";
import { questionOf, questionWords, searchOf, streamOf } from "./question";

test("an address becomes a stream", () => {
  const q = questionOf({ "tag.environment": "production", "tag.host": "!web-03", group: "region", summary: "count" });
  expect(streamOf("checkout.requests", q, "/s")).toEqual({
    metric: "checkout.requests",
    tags: [
      { name: "environment", values: ["production"] },
      { name: "host", values: ["!web-03"] },
      { name: "region", grouped: true },
    ],
    summary_function: "count",
    group_function: "sum",
    gap_detection: true,
    units_short: "/s",
  });
  expect(questionWords(q)).toBe("Count by region");
});

test("without groups every stream has its own line", () => {
  const q = questionOf({});
  expect(streamOf("m", q)).toEqual({ metric: "m", group_function: "breakout", gap_detection: true });
  expect(questionWords(q)).toBe("Average of each stream");
});

test("a stream of a chart becomes the address that asks the same", () => {
  const s = streamOf(
    "checkout.requests",
    questionOf({ "tag.env": "prod,test", "tag.host": "!web-03", group: "region", summary: "max" }),
  );
  expect(searchOf(s)).toEqual({
    metric: "checkout.requests",
    "tag.env": "prod,test",
    "tag.host": "!web-03",
    group: "region",
    summary: "max",
  });
});

test("how streams become one line goes along, and back", () => {
  const cases: [string | undefined, string | undefined, boolean, string][] = [
    ["breakout", undefined, false, "Average of each stream"],
    [undefined, "mean", false, "Average of all streams, averaged"],
    ["sum", "sum", false, "Average of all streams, added up"],
    ["mean", undefined, true, "Average by host"],
    ["max", "max", true, "Average by host, their highest"],
    ["breakout", "breakout", true, "Average of each stream"],
  ];
  for (const [group_function, lines, grouped, words] of cases) {
    const s = {
      metric: "m",
      ...(group_function && { group_function }),
      ...(grouped && { tags: [{ name: "host", grouped }] }),
    };
    const address = searchOf(s);
    expect(address.lines).toBe(lines);
    const question = questionOf(address);
    expect(streamOf("m", question).group_function).toBe(group_function ?? "mean");
    expect(questionWords(question)).toBe(words);
  }
  expect(questionOf({ lines: "nonsense" }).lines).toBe("");
  const transformed = { metric: "m", group_function: "breakout", transform_function: "x*8" };
  expect(searchOf(transformed)).toEqual({ metric: "m", transform: "x*8" });
  expect(streamOf("m", questionOf(searchOf(transformed)))).toEqual({ ...transformed, gap_detection: true });
});

test("what is dynamic has the values of the page", () => {
  const s = {
    metric: "m",
    tags: [
      { name: "host", dynamic: true },
      { name: "zone", dynamic: true },
    ],
  };
  expect(searchOf(s, [{ name: "host", values: ["a"], not: false }])).toEqual({
    metric: "m",
    "tag.host": "a",
    lines: "mean",
  });
  expect(searchOf({ composite: 's("m", "*")' })).toEqual({ q: 's("m", "*")' });
});
