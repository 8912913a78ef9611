import { expect, test } from "vitest";
import { addStep, isWrong, stepProblems, stepsFull } from "./escalation";

const step = (minutes: number, ...services: number[]) => ({ after_seconds: minutes * 60, services });

test("steps come one after the other, and notify somebody", () => {
  expect(stepProblems([step(15, 1), step(60, 1, 2)]).some(isWrong)).toBe(false);
  expect(stepProblems([step(15, 1), step(15, 2)])).toEqual([
    {},
    { after: "After must be more than the 15 min of the step before." },
  ]);
  expect(stepProblems([step(0, 1)])).toEqual([{ after: "After must be between 1 and 10,080 minutes." }]);
  expect(stepProblems([step(1.5, 1)]).some(isWrong)).toBe(true);
  expect(stepProblems([step(10_081, 1)]).some(isWrong)).toBe(true);
  expect(stepProblems([step(5)])).toEqual([{ services: "Whom to notify is missing. Choose a service." }]);
});

test("the next step comes later than the last", () => {
  expect(addStep([])).toEqual([step(15)]);
  expect(addStep([step(20, 1)])).toEqual([step(20, 1), step(40)]);
  expect(addStep([step(9000, 1)]).at(-1)).toEqual(step(10_080));
});

test("there are ten at most", () => {
  const ten = Array.from({ length: 10 }, (_, i) => step(i + 1, 1));
  expect(stepsFull(ten)).toBe("An alert has 10 steps at most.");
  expect(stepsFull(ten.slice(1))).toBe(false);
});
