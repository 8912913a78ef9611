import { describe, expect, it } from "vitest";
import { refusal, senderOf, sends } from "./arrivals";

describe("refusal", () => {
  it("says what to change", () => {
    const said = (status: number, reason: string) => refusal({ status, reason, token_ends: "" });
    expect(said(401, "Authorization Required")).toBe("A request came without a token (401).");
    expect(said(400, "name is not present")).toBe("A request was read, but refused (400): name is not present.");
    expect(said(400, "measurement 1 failed: name is not present")).toBe(
      "A request was read, but measurement 1 failed: name is not present.",
    );
    expect(said(403, "needs Full Access.")).toBe(
      "A request came, but its token may not do this (403): needs Full Access.",
    );
  });
  it("names the token by its end, or by its name where it is known", () => {
    const r = { status: 401, reason: "Authorization Required", token_ends: "x7Qd" };
    expect(refusal(r)).toBe("A request came with an unknown token ending x7Qd (401).");
    const token = { name: "batch", last4: "x7Qd", active: false, expires_at: 0 };
    expect(refusal(r, [token])).toBe("A request came with batch, which is Inactive (401).");
    expect(refusal(r, [{ ...token, active: true, expires_at: 5 }])).toBe(
      "A request came with batch, which has expired (401).",
    );
    expect(refusal(r, [{ ...token, active: true }])).toBe("A request came with an unknown token ending x7Qd (401).");
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
