import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { askEarly, takeEarly } from "./early";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal(
    "fetch",
    vi.fn(async (path: string) => new Response(path)),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what was asked for early is for the first who wants it", async () => {
  void askEarly("/ui/api/session");
  expect(takeEarly("/ui/api/other")).toBeUndefined();
  const answer = await takeEarly("/ui/api/session");
  expect(await answer?.text()).toBe("/ui/api/session");
  expect(takeEarly("/ui/api/session")).toBeUndefined();
});

test("what nobody takes is forgotten: it would be old", async () => {
  await askEarly("/ui/api/session");
  await vi.advanceTimersByTimeAsync(11_000);
  expect(takeEarly("/ui/api/session")).toBeUndefined();
});
