import { expect, test } from "vitest";
import type { Preview } from "../api/alerts";
import { niceStep, snap, tooOften, verdict } from "./backtest";

const none: Preview = {
  start: 0,
  end: 604800,
  fired: 0,
  total_seconds: 0,
  longest_seconds: 0,
  always: false,
  highest: 231,
  lowest: 10,
  summaries_until: 0,
  incidents: [],
  conditions: [],
  thresholds: [],
};

test("verdicts", () => {
  const quiet = verdict(none, 604800, "ms");
  expect(quiet.before).toBe("Would not have fired in the last 7 days.");
  expect(quiet.detail).toMatch(/^The highest value was 231.ms\.$/);
  expect(verdict({ ...none, always: true }, 604800, "").times).toBe("all the time");
  const some = verdict({ ...none, fired: 4, total_seconds: 8400, longest_seconds: 4320 }, 604800, "ms");
  expect(`${some.before}${some.times}${some.after}`).toBe("Would have fired 4 times in the last 7 days");
  expect(some.detail).toBe(
    "2 h 20 min in total, longest 1 h 12 min. Replayed over stored data, as the alert itself would judge it.",
  );
  expect(verdict({ ...none, fired: 1, total_seconds: 600, longest_seconds: 600 }, 86400, "").times).toBe("once");
});

test("too often", () => {
  const c = { type: "above" as const, metric_name: "m", threshold: 200, tags: [] };
  expect(tooOften({ ...none, fired: 3 }, c, "ms")).toBeUndefined();
  expect(tooOften({ ...none, fired: 31, thresholds: [{ value: 225, fired: 4, total_seconds: 0 }] }, c, "ms")).toMatch(
    /^Consider 225.ms or a longer time\.$/,
  );
});

test("nice steps", () => {
  expect(niceStep(250)).toBe(5);
  expect(snap(251.3)).toBe(250);
  expect(snap(0.4237)).toBeCloseTo(0.425, 3);
  expect(snap(0)).toBe(0);
});
