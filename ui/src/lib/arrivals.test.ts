import { describe, expect, it } from "vitest";
import { refusal, senderOf, sends } from "./arrivals";

describe("refusal", () => {
  it("says what to change", () => {
    expect(refusal({ status: 401, reason: "Authorization Required" })).toBe(
      "A request came without a token that is known (401).",
    );
    expect(refusal({ status: 400, reason: "name is not present" })).toBe(
      "A request was read, but refused (400): name is not present.",
    );
    expect(refusal({ status: 403, reason: "needs Full Access." })).toBe(
      "A request came, but its token may not do this (403): needs Full Access.",
    );
  });
});

describe("sends", () => {
  it("counts both ways to record, and nothing else", () => {
    expect(sends({ method: "POST", path: "/v1/measurements" })).toBe(true);
    expect(sends({ method: "POST", path: "/v1/metrics" })).toBe(true);
    expect(sends({ method: "GET", path: "/v1/metrics" })).toBe(false);
    expect(sends({ method: "POST", path: "/v1/alerts" })).toBe(false);
  });
});

it("names a sender by place and program", () => {
  expect(senderOf({ sender: "10.0.0.7", user_agent: "telegraf/1.34 (linux)" })).toBe("10.0.0.7 (telegraf)");
  expect(senderOf({ sender: "10.0.0.7", user_agent: "" })).toBe("10.0.0.7");
});
