import { expect, test } from "vitest";
import { questionOf, questionWords, streamOf } from "./question";

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
    units_short: "/s",
  });
  expect(questionWords(q)).toBe("Count by region");
});

test("without groups every stream has its own line", () => {
  const q = questionOf({});
  expect(streamOf("m", q)).toEqual({ metric: "m", group_function: "breakout" });
  expect(questionWords(q)).toBe("Average of each stream");
});
