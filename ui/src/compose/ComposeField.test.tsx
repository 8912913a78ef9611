// @vitest-environment jsdom
import { act } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { clear, open } from "../testing/dom";
import { ComposeField, heightOf } from "./ComposeField";

// The editor itself is not what is looked at here, and needs a browser.
vi.mock("./Editor", () => ({ default: () => null }));

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  clear();
  vi.useRealTimers();
});

test("an error is said once somebody has stopped typing", async () => {
  const error = { message: "there is no function dvide", offset: 0, length: 5 } as never;
  const drawn = (value: string) => <ComposeField value={value} error={error} onChange={() => undefined} />;
  const { box, again } = await shown(drawn("dvid"));
  await again(drawn("dvide"));
  expect(box.textContent).not.toContain("dvide");
  await act(() => vi.advanceTimersByTimeAsync(1_100));
  expect(box.textContent).toContain("Line 1: there is no function dvide.");
  await again(drawn("divide"));
  expect(box.textContent).not.toContain("Line 1");
});

async function shown(first: Parameters<typeof open>[0]) {
  const { box, root } = open(first);
  await act(() => vi.advanceTimersByTimeAsync(0));
  return { box, again: (next: typeof first) => act(async () => root.render(next)) };
}

test("what stands in for the editor is as tall as it will be", () => {
  expect([heightOf(""), heightOf("a\nb")]).toEqual([40, 62]);
});
