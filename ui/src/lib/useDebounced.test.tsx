// @vitest-environment jsdom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clear, open } from "../testing/dom";
import { useDebounced } from "./useDebounced";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  clear();
  vi.useRealTimers();
});

const Shown = ({ value }: { value: string }) => useDebounced(value, 300);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test("a value follows when the other has rested, not before", () => {
  const { box, again } = open(<Shown value="a" />);
  expect(box.textContent).toBe("a");
  again(<Shown value="ab" />);
  pass(200);
  again(<Shown value="abc" />);
  pass(299);
  expect(box.textContent).toBe("a");
  pass(1);
  expect(box.textContent).toBe("abc");
});
