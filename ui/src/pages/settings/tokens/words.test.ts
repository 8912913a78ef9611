import { describe, expect, test } from "vitest";
import type { SenderView, TokenSummary, UseView } from "../../../api/ui.gen";
import {
  byAgent,
  dayField,
  endOf,
  madeWhen,
  maker,
  matches,
  runs,
  sorted,
  sortedBy,
  tokenTime,
  whereFrom,
  wholeDays,
  wouldRefuse,
} from "./words";

const use = (verb: string, noun: string, requests: number, ...refused_by: UseView["refused_by"]): UseView => ({
  verb,
  noun,
  requests,
  refused_by,
});

describe("wouldRefuse", () => {
  const uses = [
    use("sent", "measurements", 9000, "viewer"),
    use("read", "spaces", 312, "recorder"),
    use("changed", "alerts", 1, "recorder", "viewer"),
  ];
  test("says what was used and how often", () => {
    expect(wouldRefuse([use("read", "spaces", 312, "recorder")], "recorder")).toBe(
      "It read spaces 312 times in the last 30 days; Record Only refuses that.",
    );
    expect(wouldRefuse(uses, "recorder")).toBe(
      "It read spaces 312 times and changed alerts 1 time in the last 30 days; Record Only refuses that.",
    );
  });
  test("says nothing where nothing would change", () => {
    expect(wouldRefuse(uses, "admin")).toBeUndefined();
    expect(wouldRefuse([], "viewer")).toBeUndefined();
  });
});

test("who made a token", () => {
  expect(maker("user:ann@example.org")).toBe("ann@example.org");
  expect(maker("token:terraform")).toBe("token terraform");
  expect(maker("cli")).toBe("the command line");
  expect(maker("")).toBeUndefined();
  expect(madeWhen({ created_at: 1_770_076_800, created_by: "" })).not.toContain("by");
});

const sender = (user_agent: string, name: string, more: Partial<SenderView> = {}): SenderView => ({
  user_agent,
  sender: name,
  requests: 1,
  days: [0, 1],
  last_at: 5,
  old: false,
  sends: [],
  ...more,
});

describe("byAgent", () => {
  test("adds up the senders of one program, latest first", () => {
    const groups = byAgent([
      sender("curl/8", "bastion", { last_at: 9 }),
      sender("telegraf/1", "web-01", { old: true, sends: ["cpu.*"] }),
      sender("telegraf/1", "web-02", { last_at: 20, sends: ["cpu.*", "mem.*"] }),
    ]);
    expect(groups.map((g) => g.agent)).toEqual(["telegraf/1", "curl/8"]);
    expect(groups[0]).toMatchObject({ days: [0, 2], last: 20, old: 1, sends: ["cpu.*", "mem.*"] });
  });
  test("says where it comes from, and of programs that have no name what they send", () => {
    const group = (agent: string, n: number) =>
      byAgent(Array.from({ length: n }, (_, i) => sender(agent, `web-0${i + 1}`, { sends: ["cpu.*", "mem.*"] })))[0];
    const text = (agent: string, n: number) => whereFrom(group(agent, n) as NonNullable<ReturnType<typeof group>>);
    expect(text("telegraf/1.34", 1)).toBe("web-01");
    expect(text("telegraf/1.34", 5)).toBe("5 hosts: web-01 … web-05");
    expect(text("Go-http-client/1.1", 1)).toBe("web-01 · sends cpu.*, mem.*");
    expect(text("python-requests/2.32", 1)).toBe("web-01 · sends cpu.*, mem.*");
  });
});

test("hosts that differ in a number are one", () => {
  expect(runs(["db-01", "web-10", "web-02", "web-01", "cache"])).toEqual(["web-01 … web-10", "cache", "db-01"]);
  expect(runs(["192.0.2.1", "192.0.2.2", "192.0.2.3"])).toEqual(["192.0.2.1", "192.0.2.2", "192.0.2.3"]);
});

describe("the list", () => {
  const token = (id: number, more: Partial<TokenSummary>) =>
    ({
      id,
      name: "t",
      role: "recorder",
      active: true,
      last4: "x7Qd",
      agents: [],
      last_used_at: 0,
      created_at: id,
      ...more,
    }) as TokenSummary;
  test("is found by name, agent, last 4 and a whole value", () => {
    const t = token(1, { name: "edge", agents: ["telegraf/1.34", "curl/8"] });
    for (const q of ["EDGE", "curl", "x7qd", "…x7Qd", "tmk_7hQ2vXn8RkT4pLw9x7Qd"]) expect(matches(t, q)).toBe(true);
    for (const q of ["ruby", "tmk_7hQ2vXn8RkT4pLw9x7Qe"]) expect(matches(t, q)).toBe(false);
  });
  test("is sorted by what the address says", () => {
    const list = [token(1, { name: "b", last_used_at: 5 }), token(2, { name: "a", last_used_at: 9 })];
    const ids = (sort: string) => sorted(list, sort).map((t) => t.id);
    expect(ids("")).toEqual([1, 2]);
    expect(ids("name")).toEqual([2, 1]);
    expect(ids("used")).toEqual([2, 1]);
    expect(ids("-used")).toEqual([1, 2]);
    expect(ids("nonsense")).toEqual([1, 2]);
    expect([sortedBy(""), sortedBy("-used")]).toEqual(["Sorted by created", "Sorted by last used, reversed"]);
  });
});

test("the time that only tokens have", () => {
  expect(tokenTime("2026-02-03 08:00:00 UTC")).toBe(1_770_105_600);
});

test("when a token ends", () => {
  const now = Date.parse("2026-11-15T12:00:00Z");
  expect(endOf("", "", now)).toBeUndefined();
  expect(endOf("30", "", now)).toBe(now / 1000 + 30 * 86_400);
  expect(endOf("date", "", now)).toBeUndefined();
  expect(endOf("date", "2026-12-24", now)).toBe(new Date(2026, 11, 24, 23, 59, 59).getTime() / 1000);
  expect(dayField(new Date(2026, 1, 3))).toBe("2026-02-03");
});

test("the day that is not over is left out, unless there is no other", () => {
  expect(wholeDays([0, 7, 9, 1])).toEqual([0, 7, 9]);
  expect(wholeDays([0, 0, 0, 1])).toEqual([0, 0, 0, 1]);
});
