import { expect, test } from "vitest";
import type { ChartDraft } from "../api/types";
import { heatLimits, limitWords } from "./limits";
import { valueAxis } from "./valueAxis";

const chart: Pick<ChartDraft, "thresholds" | "attributes"> = {
  thresholds: [
    { operator: ">", value: 75, type: "red" },
    { operator: ">", value: 50, type: "yellow" },
    { operator: ">", value: 900, type: "red" },
  ],
  attributes: {
    bands: [
      { from: 0, to: 25, type: "green" },
      { from: 200, to: 300, type: "red" },
    ],
  },
};

test("where rows are ranges a threshold is a line at its value, and a band a range of them", () => {
  const { lines, tints, tone } = heatLimits(chart, valueAxis([{ low: 0, high: 100 }]), "ms");
  expect(lines).toEqual([
    { at: 0.25, type: "red" },
    { at: 0.5, type: "yellow" },
  ]);
  expect(tints).toEqual([{ from: 0.75, to: 1, type: "green" }]);
  expect(tone(80)).toBeUndefined();
});

test("where cells are values a threshold colours those beyond it", () => {
  const limits = heatLimits(chart, undefined, "ms");
  expect([limits.lines, limits.tints]).toEqual([[], []]);
  expect([50, 60, 80].map(limits.tone)).toEqual([undefined, "yellow", "red"]);
  expect(limitWords(limits)).toBe("red above 75\u00a0ms, yellow above 50\u00a0ms, red above 900\u00a0ms");
});
