import { expect, test } from "vitest";
import { linkWords } from "./linkWords";

test("a link to a range that goes on does not promise what is seen now", () => {
  expect(linkWords(true)).toBe("Address copied. Whoever opens it sees the newest data then.");
  expect(linkWords(false)).toBe("Address copied. Whoever opens it sees this.");
});
