// @vitest-environment jsdom
import { useState } from "react";
import { afterEach, expect, test } from "vitest";
import { clear, leave, render, type } from "../testing/dom";
import { parseMoment } from "./moment";
import { TimeField } from "./TimeField";

afterEach(clear);

function Asked() {
  const [text, setText] = useState("-2h");
  return <TimeField label="Time" value={text} onChange={setText} wrong={parseMoment(text, 0) === undefined} />;
}

test("what is no time is said when the field is left, with what is one, and no longer than it is so", () => {
  const box = render(<Asked />);
  const field = box.querySelector("input") as HTMLInputElement;
  type(field, "yesterdayish");
  expect(box.querySelector("[role=alert]")).toBeNull();
  leave(field);
  expect(box.querySelector("[role=alert]")?.textContent).toMatch(/^This is not a date\. Write .+ or -36h\.$/);
  type(field, "-3h");
  expect(box.querySelector("[role=alert]")).toBeNull();
  leave(field);
  expect(box.querySelector("[role=alert]")).toBeNull();
});
