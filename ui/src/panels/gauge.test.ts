import { expect, test } from "vitest";
import type { ChartDraft, Threshold } from "../api/types";
import type { Line } from "../chart/data";
import { arc, endsOf, fullIn, fullWords, share, thresholdsInWords, worst, zones } from "./gauge";

const gauge: ChartDraft = { name: "Fullest disk", type: "bignumber", streams: [], attributes: { kind: "gauge" } };
const above = (value: number, type: Threshold["type"]): Threshold => ({ operator: ">", value, type });

test("a gauge needs its ends, and a percentage has them", () => {
  expect(endsOf(gauge, "B")).toBeUndefined();
  expect(endsOf(gauge, "%")).toEqual({ min: 0, max: 100 });
  expect(endsOf({ ...gauge, min: 10, max: 20 }, "%")).toEqual({ min: 10, max: 20 });
  expect(endsOf({ ...gauge, min: 30, max: 20 }, "")).toBeUndefined();
  expect([5, 15, 25].map((v) => share(v, { min: 10, max: 20 }))).toEqual([0, 0.5, 1]);
});

test("it points at the worst line", () => {
  const lines = [{ values: [1, 2] }, { values: [3, 9] }, { values: [null] }] as Line[];
  expect(worst(gauge, lines, false)?.value).toBe(9);
  expect(worst(gauge, lines, true)?.value).toBe(3);
  expect(worst({ ...gauge, attributes: { order: "lowest" } }, lines, false)?.value).toBe(2);
  expect(worst(gauge, [], false)).toBeUndefined();
});

test("arcs run from left to right over the top", () => {
  expect(arc(50, 50, 40, 0, 0.5)).toBe("M10.00 50.00A40 40 0 0 1 50.00 10.00");
});

test("thresholds are pieces of the circle, and words", () => {
  const all = [above(90, "red"), above(80, "yellow")];
  const ends = { min: 0, max: 100 };
  expect(zones(all, ends).map((z) => [z.type, z.from])).toEqual([
    ["yellow", 0.8],
    ["red", 0.9],
  ]);
  expect(zones([{ operator: "<", value: 10, type: "red" }, above(200, "red")], ends)).toEqual([
    { type: "red", from: 0, to: 0.1 },
  ]);
  expect(thresholdsInWords(all[1], all, "%")).toBe("above 80\u00a0%, red at 90\u00a0%");
  expect(thresholdsInWords(all[0], all, "%")).toBe("above 90\u00a0%");
  expect(thresholdsInWords(undefined, all, "%")).toBeUndefined();
});

test("what grows steadily is full at some time, and nothing else is", () => {
  const grows = Array.from({ length: 168 }, (_, i) => 50 + i * 0.1);
  expect(fullIn(grows, 3600, 100)).toBeCloseTo((100 - 66.7) * 10 * 3600, 0);
  expect(
    fullIn(
      grows.map((v) => 100 - v),
      3600,
      100,
    ),
  ).toBeUndefined();
  expect(
    fullIn(
      grows.map((_, i) => (i % 2 ? 10 : 90)),
      3600,
      100,
    ),
  ).toBeUndefined();
  expect(fullIn(grows.slice(0, 5), 3600, 100)).toBeUndefined();
  expect(fullIn(grows, 3600, 100_000)).toBeUndefined();
  expect([undefined, 9.2 * 86_400, 86_400, 7200].map(fullWords)).toEqual([
    undefined,
    "full in about 9 days",
    "full in about 1 day",
    "full in about 2 h",
  ]);
});
