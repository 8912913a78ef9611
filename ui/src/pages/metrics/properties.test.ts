import { expect, test } from "vitest";
import type { Metric } from "../../api/types";
import { bodyOf, formOf } from "./properties";

const metric = {
  name: "m",
  type: "gauge",
  period: 60,
  attributes: { display_units_short: "ms", display_min: 0, aggregate: true },
} as unknown as Metric;

test("what is not touched is sent as it was", () => {
  expect(bodyOf(metric, formOf(metric))).toMatchObject({
    display_name: null,
    period: 60,
    attributes: { display_units_short: "ms", display_min: 0, display_max: null, aggregate: true, gap_detection: false },
  });
});

test("only a composite has an expression", () => {
  const composite = { ...metric, type: "composite", composite: 's("m", "*")' } as Metric;
  expect(bodyOf(composite, formOf(composite))).toMatchObject({ type: "composite", composite: 's("m", "*")' });
  expect(bodyOf(metric, formOf(metric))).not.toHaveProperty("composite");
});
