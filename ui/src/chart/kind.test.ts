import { expect, test } from "vitest";
import { distributionOf, hasSeries, kindOf, windowFor } from "./kind";

test("a chart is shown by its type, or by what its attributes say instead", () => {
  expect(kindOf({ type: "stacked" })).toBe("stacked");
  expect(kindOf({ type: "line", attributes: { kind: "table" } })).toBe("table");
  expect(kindOf({ type: "line", attributes: { kind: null } })).toBe("line");
  expect(["line", "gauge", "text", "alerts", "events"].map((k) => hasSeries(k as "line"))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test("only a heatmap that is to shows how values are distributed", () => {
  const heatmap = (attributes: object) =>
    distributionOf({ type: "line", attributes: { kind: "heatmap", ...attributes } });
  expect(heatmap({ rows: "distribution" })).toEqual({ by: "", percentiles: [50, 95, 99] });
  expect(heatmap({ rows: "distribution", repeat: "host", percentiles: [99.9] })).toEqual({
    by: "host",
    percentiles: [99.9],
  });
  expect(heatmap({ rows: "values", repeat: "host" })).toBeUndefined();
  expect(distributionOf({ type: "line", attributes: { rows: "distribution" } })).toBeUndefined();
});

test("bars and cells are few, and on a grid of whole minutes, hours or days", () => {
  const hours = (n: number) => ({ start: 1_700_000_040, end: 1_700_000_040 + n * 3600, step: 60 });
  expect(windowFor("line", hours(6))).toEqual(hours(6));
  const bars = windowFor("bar", hours(6));
  expect(bars.step).toBe(600);
  expect([bars.start % 600, bars.end % 600]).toEqual([0, 0]);
  expect((bars.end - bars.start) / bars.step).toBeLessThanOrEqual(49);
  expect(windowFor("bar", hours(24)).step).toBe(1800);
  expect(windowFor("heatmap", hours(6)).step).toBe(300);
  expect(windowFor("bar", { ...hours(24 * 90), step: 21_600 }).step).toBe(86_400);
  // Never finer than what is asked for.
  expect(windowFor("bar", { start: 0, end: 86_400, step: 86_400 }).step).toBe(86_400);
});
