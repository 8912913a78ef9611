import { expect, test } from "vitest";
import type { Found } from "../api/search";
import { entries, modeOf } from "./paletteEntries";

const found: Found = {
  alerts: [
    { id: 2, name: "checkout.ok", state: "ok", since: 0 },
    { id: 1, name: "checkout.latency.high", state: "firing", since: 1000 },
  ],
  charts: [
    { id: 3, name: "Checkout latency", space: 7, space_name: "Checkout production", metrics: ["checkout.latency"] },
  ],
  spaces: [{ id: 7, name: "Checkout production", charts: 7, opened_at: 0 }],
  metrics: [
    {
      name: "checkout.requests",
      display_name: null,
      type: "gauge",
      units: "/s",
      last_value: 1525,
      last_at: 0,
      streams: 42,
    },
  ],
};
const all = { canEdit: true, canManage: true };

test("firing alerts come first, with how long", () => {
  const list = entries("check", found, all, 1000 + 24 * 60);
  expect(list[0]).toMatchObject({ text: "checkout.latency.high", fact: "Firing for 24 min", tone: "red" });
  expect([...new Set(list.map((e) => e.group))]).toEqual(["Alerts", "Spaces", "Metrics", "Charts", "Pages", "Do"]);
  expect(list.find((e) => e.group === "Metrics")?.fact).toMatch(/1,525\/s, 42 streams/);
});

test("> is for doing, # for metrics", () => {
  expect(modeOf("> tok")).toEqual({ mode: "do", q: "tok" });
  expect(entries(">token", found, all).map((e) => e.text)).toContain("Generate New API Token");
  expect(entries("#check", found, all).every((e) => e.group === "Metrics")).toBe(true);
});

test("the role decides what can be done", () => {
  const viewer = { canEdit: false, canManage: false };
  expect(entries(">", found, viewer).map((e) => e.text)).toEqual(["Send data", "Explore", "Print this page"]);
  expect(entries("api tokens", undefined, viewer)).toEqual([]);
  expect(entries("api tokens", undefined, all)[0]?.to).toBe("/settings/tokens");
});

test("an empty field finds nothing", () => expect(entries("", found, all)).toEqual([]));

test("tokens are opened by those who manage them, with what is known of them", () => {
  const token = { id: 7, name: "checkout-service", role: "recorder", last_used_at: 96 } as never;
  const list = (canManage: boolean, q = "check") => entries(q, undefined, { canEdit: true, canManage }, 100, [token]);
  expect(list(true).find((e) => e.icon === "token")).toMatchObject({
    group: "Do",
    text: "Open API token checkout-service",
    fact: "Record Only, used 4 s ago",
    params: { id: "7" },
  });
  expect(list(false).some((e) => e.icon === "token")).toBe(false);
  expect(list(true, "# check").some((e) => e.icon === "token")).toBe(false);
});

test("a chart leads to itself in its space", () => {
  const chart = entries("checkout", found, { canEdit: false, canManage: false }).find((e) => e.group === "Charts");
  expect(chart).toMatchObject({
    text: "Checkout latency",
    fact: "in Checkout production",
    params: { id: "7" },
    search: { chart: "3" },
  });
});
