import { expect, test } from "vitest";
import type { Condition } from "../api/types";
import { conditionProblems } from "./conditionProblems";

const condition = (c: Partial<Condition>): Condition => ({
  type: "above",
  metric_name: "cpu",
  threshold: 1,
  duration: 300,
  tags: [],
  ...c,
});

test("a problem stands at the condition that has it", () => {
  const list = [condition({}), condition({ metric_name: "", threshold: null })];
  const problems = { "conditions.metric_name": ["is not present"], "conditions.threshold": ["is not present"] };
  expect(conditionProblems(list, problems)).toEqual([[], ["Metric: is not present", "Threshold: is not present"]]);
});

test("a metric that does not exist is named", () => {
  const list = [condition({ metric_name: "a" }), condition({ metric_name: "b" })];
  expect(conditionProblems(list, { "conditions.metric_name": ["b does not exist"] })).toEqual([
    [],
    ["Metric: b does not exist"],
  ]);
});

test("silence needs a time", () => {
  const list = [condition({ duration: null }), condition({ type: "absent", threshold: null, duration: null })];
  expect(conditionProblems(list, { "conditions.duration": ["must be set"] })).toEqual([
    [],
    ["For how long: must be set"],
  ]);
});

test("other fields and what cannot be told apart", () => {
  const list = [condition({}), condition({})];
  expect(conditionProblems(list, { name: ["is taken"], "conditions.tags": ["has an entry without a name"] })).toEqual([
    ["Tags: has an entry without a name"],
    ["Tags: has an entry without a name"],
  ]);
});
