import { expect, test } from "vitest";
import { below, chartOf } from "./startSpace";

test("a chart has a line for each stream; of a counter, how fast it grows", () => {
  expect(chartOf({ name: "cpu", type: "gauge", units: "%" }).streams).toEqual([
    { metric: "cpu", group_function: "breakout", gap_detection: true, units_short: "%" },
  ]);
  expect(chartOf({ name: "cpu", type: "gauge", units: "" }).streams[0]).not.toHaveProperty("units_short");
  expect(chartOf({ name: "requests_total", type: "counter", units: "" }).streams).toEqual([
    { composite: 'rate(derive(s("requests_total", "*")))', units_short: "/s", gap_detection: true },
  ]);
});

test("a name is a beginning, unless it says otherwise", () => {
  expect([below("shop."), below("shop.*.p99")]).toEqual(["shop.*", "shop.*.p99"]);
});
