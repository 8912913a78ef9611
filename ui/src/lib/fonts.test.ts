// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startFonts } from "./fonts";

const waits = () => document.documentElement.dataset.fonts;

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("on a slow line fonts come once nothing else is asked for", async () => {
  vi.spyOn(performance, "now").mockReturnValue(4_000);
  startFonts();
  expect(waits()).toBe("later");
  await vi.runAllTimersAsync();
  expect(waits()).toBeUndefined();
});

test("elsewhere they come at once", () => {
  vi.spyOn(performance, "now").mockReturnValue(300);
  startFonts();
  expect(waits()).toBeUndefined();
});
