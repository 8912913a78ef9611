// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call } from "../api/client";
import { whenQuiet } from "./whenQuiet";

/** Asks for something, and returns how to answer it. */
function asked(): () => Promise<unknown> {
  let answer: (res: Response) => void = () => undefined;
  vi.stubGlobal("fetch", () => new Promise<Response>((resolve) => (answer = resolve)));
  const done = call("GET", "/v1/spaces");
  return () => {
    answer(new Response("{}", { headers: { "Content-Type": "application/json" } }));
    return done;
  };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what can wait is run once nothing is asked for", async () => {
  const answer = asked();
  const run = vi.fn();
  whenQuiet(run);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(run).not.toHaveBeenCalled();
  await answer();
  await vi.advanceTimersByTimeAsync(1_500);
  expect(run).toHaveBeenCalledOnce();
});

test("and after a while where an answer takes long", async () => {
  const answer = asked();
  const run = vi.fn();
  whenQuiet(run);
  await vi.advanceTimersByTimeAsync(12_000);
  expect(run).toHaveBeenCalledOnce();
  await answer();
});
