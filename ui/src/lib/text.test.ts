import { expect, test } from "vitest";
import { csv, fileName, highlight } from "./text";

test("matches are marked, the rest is not", () => {
  expect(highlight("checkout.requests", "check req")).toEqual([
    ["check", true],
    ["out.", false],
    ["req", true],
    ["uests", false],
  ]);
  expect(highlight("a", "")).toEqual([["a", false]]);
});

test("cells are quoted where needed and never become formulas", () => {
  expect(csv([["a", "b,c", 'd"e', "=1+1", 4, null]])).toBe('a,"b,c","d""e",\'=1+1,4,\r\n');
});

test("file names", () => expect(fileName("Latency p99 (ms)", "png")).toBe("latency-p99-ms.png"));
