import { expect, test } from "vitest";
import type { Backtest } from "../api/types.gen";
import { fixedWords, tied, together, tooOften, union, verdict, violated } from "./backtest";

const none: Backtest = {
  start: 0,
  end: 604800,
  fired: 0,
  total_seconds: 0,
  longest_seconds: 0,
  always: false,
  highest: 231,
  lowest: 10,
  summaries_until: 0,
  summary_seconds: 0,
  notifications: 0,
  incidents: [],
  conditions: [],
  thresholds: [],
};

const above = { type: "above" as const, metric_name: "m", threshold: 200, tags: [] };
const week = 604_800;

test("verdicts", () => {
  const quiet = verdict(none, week, "ms", above);
  expect(quiet.before).toBe("Would not have fired in the last 7 days.");
  expect(quiet.detail).toMatch(/^The highest value was 231.ms\.$/);
  expect(verdict(none, week, "ms", { type: "below" }).detail).toMatch(/^The lowest value was 10.ms\.$/);
  expect(verdict(none, week, "ms", { type: "absent" }).detail).toBe("");
  const always = verdict({ ...none, always: true }, week, "", above);
  expect(`${always.before}${always.times}${always.after}`).toBe(
    "Would be firing all the time: 100 % of the last 7 days.",
  );
  const some = verdict({ ...none, fired: 4, total_seconds: 8400, longest_seconds: 4320 }, week, "ms", above);
  expect(`${some.before}${some.times}${some.after}`).toBe("Would have fired 4 times in the last 7 days");
  expect(some.detail).toBe(
    "2 h 20 min in total, longest 1 h 12 min. Replayed over stored data, as the alert itself would evaluate it.",
  );
  expect(verdict({ ...none, fired: 1, total_seconds: 600, longest_seconds: 600 }, 86400, "", above).times).toBe("once");
});

test("too often", () => {
  const thresholds = [
    { value: 300, fired: 1, total_seconds: 0 },
    { value: 225, fired: 4, total_seconds: 0 },
    { value: 210, fired: 30, total_seconds: 0 },
  ];
  expect(tooOften({ ...none, fired: 3 }, above, week, "ms")).toBeUndefined();
  expect(tooOften({ ...none, fired: 31, thresholds }, above, week, "ms")).toMatch(
    /^31 times in 7 days\. Consider 225.ms or a longer time\.$/,
  );
  expect(tooOften({ ...none, fired: 31, thresholds }, above, 30 * 86_400, "ms")).toBeUndefined();
  expect(tooOften({ ...none, fired: 31 }, { ...above, type: "absent" }, week, "")).toBe(
    "31 times in 7 days. Consider a longer time.",
  );
});

test("marks follow a threshold from the points alone", () => {
  const w = { start: 0, step: 60 };
  const lines = [{ values: [1, 5, 5, null, 5, 1, 1, 5] }, { values: [1, 1, 1, 1, 1, 1, 9, 1] }];
  const above = { type: "above" as const, duration: null };
  expect(violated(lines, w, above, 4)).toEqual([
    [60, 300],
    [360, 480],
  ]);
  expect(violated(lines, w, above, 6)).toEqual([[360, 420]]);
  expect(violated(lines, w, above, 10)).toEqual([]);
  expect(violated(lines, w, { type: "above", duration: 120 }, 4)).toEqual([[180, 300]]);
  expect(violated([{ values: [3, 1, 3] }], w, { type: "below", duration: null }, 2)).toEqual([[60, 120]]);
});

test("intervals", () => {
  expect(
    union([
      [5, 9],
      [1, 3],
      [2, 4],
    ]),
  ).toEqual([
    [1, 4],
    [5, 9],
  ]);
  expect(
    together([
      [
        [0, 10],
        [20, 30],
      ],
      [[5, 25]],
    ]),
  ).toEqual([
    [5, 10],
    [20, 25],
  ]);
  expect(together([[[1, 2]]])).toEqual([[1, 2]]);
});

test("two conditions become one expression", () => {
  const a = {
    type: "above" as const,
    metric_name: "lat",
    threshold: 250,
    duration: 300,
    tags: [{ name: "region", grouped: true, values: ["*"] }],
    summary_function: "max",
  };
  const b = {
    type: "above" as const,
    metric_name: "req",
    threshold: 50,
    duration: 300,
    tags: [{ name: "env", values: ["prod"] }],
  };
  expect(tied(a, b)).toEqual({
    composite:
      'map({"region": "*"}, divide([\n  max(s("lat", {"region": "&"}, {function: "max"})),\n  mean(s("req", {"env": "prod", "region": "&"}))\n]))',
    threshold: 5,
  });
  expect(tied({ ...a, tags: [], summary_function: null }, { ...b, tags: [], threshold: null })).toEqual({
    composite: 'divide([\n  mean(s("lat", "*")),\n  mean(s("req", "*"))\n])',
    threshold: null,
  });
});

test("what a fixed threshold would have done", () => {
  const fixed = (fired: number, of: number) =>
    fixedWords({ ...none, fired: of, fixed: { value: 320, fired, total_seconds: 60 } }, "/min");
  expect(fixed(16, 2)).toBe("A fixed threshold that catches both, 320/min, would have fired 16 times.");
  expect(fixed(1, 1)).toBe("A fixed threshold that catches it, 320/min, would have fired once.");
  expect(fixed(9, 5)).toMatch(/catches all 5, /);
  expect(fixedWords(none, "ms")).toBeUndefined();
});
