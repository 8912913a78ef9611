// @vitest-environment jsdom
import { afterEach, expect, test } from "vitest";
import { clear, render, type } from "../testing/dom";
import { NumberRow } from "./FieldRows";

afterEach(clear);

function open(value: number | null) {
  const given: (number | null)[] = [];
  const box = render(<NumberRow label="Max" value={value} onChange={(v) => given.push(v)} />);
  return { box, given, field: box.querySelector("input") as HTMLInputElement };
}

test("what is typed is given as a number, and nothing as none", () => {
  const { field, given } = open(5);
  expect(field.value).toBe("5");
  type(field, "1.5");
  type(field, "");
  expect(given).toEqual([1.5, null]);
});

test("what is half typed stays, and says that it is no number yet", () => {
  const { box, field, given } = open(null);
  type(field, "1e");
  expect(given).toEqual([Number.NaN]);
  expect(field.value).toBe("1e");
  expect(box.querySelector("[role=alert]")?.textContent).toBe("“1e” is not a number.");
  type(field, "1e3");
  expect(given.at(-1)).toBe(1000);
  expect(box.querySelector("[role=alert]")).toBeNull();
});

test("without a number the chart decides, which is no error", () => {
  const { box, field } = open(null);
  expect(field.placeholder).toBe("Auto");
  expect(box.querySelector("[role=alert]")).toBeNull();
});
