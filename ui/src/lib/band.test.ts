import { expect, test } from "vitest";
import { choose } from "./against";
import { edgeOf, furthest, knownAs, outside, widened } from "./band";

const plain = { type: "above" as const, metric_name: "orders", threshold: 3, duration: 0, tags: [] };
const below = choose(plain, "band.below");
const e = {
  stream: "",
  times: [0, 3600, 7200],
  usual: [100, 200, 300],
  spread: [10, 20, 0],
  low: [70, 140, 300],
  high: [130, 260, 300],
};

test("another width, but never less than it must be", () => {
  expect(widened(e, 2, 25)).toMatchObject({ low: [75, 160, 275], high: [125, 240, 325] });
});

test("an edge is held where the band has a spread, on the sides that count", () => {
  const lower = edgeOf(e, below, 10_000);
  expect(lower?.sides).toEqual([-1]);
  expect(lower?.at(-1, 3)).toBe(140);
  expect(lower?.read(-1, 150)).toBe(2.5);
  expect(edgeOf(e, below, 3600)?.at(-1, 3)).toBe(70);
  expect(edgeOf(e, choose(plain, "band.both"), 10_000)?.sides).toEqual([1, -1]);
  expect(edgeOf(e, choose(plain, "band.above"), 10_000)?.read(1, 250)).toBe(2.5);
  expect(edgeOf({ ...e, spread: [0, 0, 0] }, below, 10_000)).toBeUndefined();
  expect(edgeOf(undefined, below, 10_000)).toBeUndefined();
});

test("what is outside, from the points alone", () => {
  const w = { start: 0, step: 1800 };
  const values = [100, 69, 139, null, 130, 301];
  expect(outside(values, w, below, e, 3)).toEqual([[1800, 9000]]);
  expect(outside(values, w, choose(plain, "band.above"), e, 3)).toEqual([[9000, 10_800]]);
  expect(outside(values, w, choose(plain, "band.both"), e, 3)).toEqual([[1800, 10_800]]);
  // Where nothing ever differed, any difference is outside.
  expect(outside(values, w, below, e, 10)).toEqual([[7200, 9000]]);
  expect(outside([1], { start: -10, step: 1 }, below, e, 3)).toEqual([]);
});

test("what it is known as", () => {
  const known_as = { incident_id: 4, alert_id: 2, alert_name: "payments.low", others: 0 };
  expect(knownAs({})).toBe("no alert saw it");
  expect(knownAs({ known_as })).toBe("incident of payments.low");
  expect(knownAs({ known_as: { ...known_as, others: 1 } })).toBe("incident of payments.low and 1 other");
  expect(knownAs({ known_as: { ...known_as, others: 2 } })).toBe("incident of payments.low and 2 others");
  expect([furthest(below), furthest(choose(plain, "band.above")), furthest(choose(plain, "band.both"))]).toEqual([
    "Lowest",
    "Highest",
    "Furthest",
  ]);
});
