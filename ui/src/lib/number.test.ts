import { expect, test } from "vitest";
import { numberProblem, parseNumber } from "./number";

const us = { locale: "en-US", zone: "UTC" };
const de = { locale: "de-DE", zone: "UTC" };
const eg = { locale: "ar-EG", zone: "UTC" };

test.each([
  ["0", us, 0],
  [" 1250000 ", us, 1_250_000],
  ["-0.5", us, -0.5],
  ["−3", us, -3],
  [".5", us, 0.5],
  ["1e6", us, 1e6],
  ["1.5", de, 1.5],
  ["1,5", de, 1.5],
  ["١٢٫٥", eg, 12.5],
])("%s", (text, who, want) => expect(parseNumber(text, who)).toBe(want));

test.each(["abc", "12ms", "1,250", "0x10", "1e999", "--1", "1.2.3", "Infinity", ""])("%s is no number", (text) => {
  expect(parseNumber(text, us)).toBeNaN();
  expect(numberProblem(text, us)).toBe(text === "" ? "Enter a number." : `“${text}” is not a number.`);
});

test("a number is no problem", () => expect(numberProblem("12.5", us)).toBeUndefined());
