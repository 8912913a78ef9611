import { describe, expect, test } from "vitest";
import { filled, isMasked, same } from "./draft";

describe("the draft of a service", () => {
  test("settings that are empty are none", () => {
    expect(filled({ url: "https://example.org", token: " " })).toEqual({ url: "https://example.org" });
    expect(same({ a: "1", b: "" }, { a: "1" })).toBe(true);
    expect(same({ a: "1" }, { a: "2" })).toBe(false);
  });

  test("a secret that is not shown makes it one that only the server can complete", () => {
    expect(isMasked({ url: "********", method: "PUT" })).toBe(true);
    expect(isMasked({ url: "https://example.org" })).toBe(false);
  });
});
