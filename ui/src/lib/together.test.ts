import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { together } from "./together";

const reported = vi.fn();
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("reportError", reported);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what is scheduled in one moment runs in one task, in order, whatever fails", () => {
  const schedule = together();
  const ran: string[] = [];
  schedule(() => {
    ran.push("a");
    schedule(() => ran.push("later"));
  });
  schedule(() => {
    throw new Error("broken");
  });
  schedule(() => ran.push("b"));
  expect(ran).toEqual([]);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersToNextTimer();
  expect(ran).toEqual(["a", "b"]);
  expect(reported).toHaveBeenCalledOnce();
  vi.advanceTimersToNextTimer();
  expect(ran).toEqual(["a", "b", "later"]);
  expect(vi.getTimerCount()).toBe(0);
});
