// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import { clear, render } from "../testing/dom";
import { spare } from "./spare";

afterEach(clear);

test("a page does without what could not be loaded", async () => {
  const Lost = spare(() => Promise.reject<{ default: () => null }>(new Error("no connection")));
  const Found = spare(async () => ({ default: () => "found" }));
  const box = render(
    <>
      the page, <Lost />
      <Found />
    </>,
  );
  await expect.poll(() => box.textContent).toBe("the page, found");
});
