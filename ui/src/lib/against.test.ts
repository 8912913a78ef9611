import { expect, test } from "vitest";
import type { Condition } from "../api/types";
import { choiceOf, choices, choose, comparedUnit } from "./against";

const plain: Condition = { type: "above", metric_name: "orders", threshold: 10, duration: 300, tags: [] };

test("every choice is read back as it was made", () => {
  for (const { value } of choices) expect(choiceOf(choose(plain, value))).toBe(value);
});

test("what was saved is taken away by saying so", () => {
  const band = choose(plain, "band.below");
  expect(band).toMatchObject({ type: "below", threshold: 3, against: { kind: "band", weeks: 6 } });
  expect(choose(band, "above").against).toEqual({ kind: "none" });
  expect(choose(plain, "below").against).toBeUndefined();
});

test("another side keeps the width", () => {
  const wide = { ...choose(plain, "band.below"), threshold: 4.5 };
  expect(choose(wide, "band.both")).toMatchObject({ threshold: 4.5, against: { both: true } });
  expect(choose(choose(wide, "band.both"), "band.above").against?.both).toBeUndefined();
});

test("the unit is that of the comparison", () => {
  expect(comparedUnit(plain, "ms")).toBe("ms");
  expect(comparedUnit(choose(plain, "past.above"), "ms")).toBe("%");
  expect(comparedUnit(choose(plain, "band.both"), "ms")).toBe("spreads");
});
