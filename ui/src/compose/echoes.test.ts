import { expect, test } from "vitest";
import { Echoes } from "./echoes";

test("an echo that is late does not undo what was typed after it", () => {
  const echoes = new Echoes();
  for (const typed of ["s", "su", "sum"]) echoes.report(typed);
  expect(echoes.replaces("su", "sum")).toBe(false); // "s" was skipped
  expect(echoes.replaces("sum", "sum")).toBe(false);
});

test("a text from elsewhere replaces, also one that was typed before", () => {
  const echoes = new Echoes();
  expect(echoes.replaces("mean(1)", "")).toBe(true);
  echoes.report("mean(12)");
  expect(echoes.replaces("mean(12)", "mean(12)")).toBe(false);
  expect(echoes.replaces("mean(1)", "mean(12)")).toBe(true);
  expect(echoes.replaces("mean(12)", "mean(1)")).toBe(true);
});
