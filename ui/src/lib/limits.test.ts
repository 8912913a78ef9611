import { expect, test } from "vitest";
import type { LimitRequest, LimitUse } from "../api/ui.gen";
import {
  amount,
  askable,
  changedLimits,
  command,
  forecast,
  limitProblem,
  lineOf,
  lineSentence,
  nearness,
  numberProblem,
  ofOrganization,
  ofOthers,
  settable,
  share,
  soonest,
  worst,
} from "./limits";

const limit = (name: string, use: number | null, most: number, more: Partial<LimitUse> = {}): LimitUse => ({
  name,
  title: name,
  unit: name,
  scope: "organization",
  effect: "",
  limit: most,
  default: most,
  own: false,
  use,
  fixed: false,
  ...more,
});

test("near from 80 %, at it from 100 %", () => {
  expect([79, 80, 99, 100, 120].map((n) => nearness(limit("alerts", n, 100)))).toEqual([
    "quiet",
    "near",
    "near",
    "at",
    "at",
  ]);
  expect(nearness(limit("alerts", 5, 0))).toBe("quiet");
  expect(share(limit("rate", null, 100))).toBeUndefined();
});

test("what is nearest to its limit comes first, what is not counted last", () => {
  const list = [
    limit("rate", null, 9),
    limit("alerts", 1, 10),
    limit("tokens", 9, 10),
    limit("tags", 1, 2, { scope: "thing" }),
  ];
  expect(ofOrganization(list).map((l) => l.name)).toEqual(["tokens", "alerts", "rate"]);
  expect(ofOthers(list).map((l) => l.name)).toEqual(["tags"]);
  expect(worst(list)?.name).toBe("tokens");
  expect(worst([limit("alerts", 1, 10)])).toBeUndefined();
});

const day = 86_400;
const now = 20_000 * day + 3600;

test("a line has a value for each day, and none where none is known", () => {
  const days = [
    { day: 19_999 * day, use: 7 },
    { day: 20_000 * day, use: 9 },
    { day: 19_000 * day, use: 1 },
  ];
  const line = lineOf({ name: "alerts", days, reaches_at: null }, now, 4);
  expect(line).toEqual([null, null, 7, 9]);
  expect(lineSentence(limit("alerts", 9, 10), line)).toBe("between 7 and 9 of the last 4 days");
  expect(lineSentence(limit("alerts", 9, 10), [3, 3])).toBe("3 on each of the last 2 days");
});

test("a limit is said to be reached where its past says so", () => {
  const past = (name: string, reaches_at: number | null) => ({ name, days: [], reaches_at });
  expect(forecast(undefined, now)).toBeUndefined();
  expect(forecast(past("alerts", null), now)).toBeUndefined();
  expect(forecast(past("alerts", 20_012 * day), now)).toBe("reaches the limit in about 12 days at this pace");
  expect(forecast(past("alerts", 20_001 * day), now)).toBe("reaches the limit in about a day at this pace");
  const list = [limit("alerts", 1, 9), limit("tokens", 1, 9)];
  expect(soonest(list, [past("alerts", 20_012 * day), past("tokens", 20_003 * day)])?.name).toBe("tokens");
  expect(soonest(list, [past("alerts", null)])).toBeUndefined();
});

test("bytes have a unit", () => {
  expect(amount(limit("tag_bytes", 0, 0, { unit: "bytes of names and tags" }), 8_000_000)).toMatch(/^8\sMB$/);
  expect(amount(limit("alerts", 0, 0), 2000)).toBe("2,000");
});

test("the operator's command quotes the name", () => {
  expect(command("Ann's shop", limit("alerts", 1, 10))).toBe("tidemark org limits 'Ann'\\''s shop' alerts=20");
  expect(command("Shop", undefined)).toBe("tidemark org limits 'Shop'");
});

test("what is the same everywhere cannot be set, what waits cannot be asked for", () => {
  const list = [limit("alerts", 1, 10), limit("labels", null, 5, { fixed: true }), limit("spaces", 1, 0)];
  list.push(limit("query_memory", null, 9, { scope: "server" }), limit("tokens", 1, 10), limit("checks", 1, 10));
  expect(settable(list).map((l) => l.name)).toEqual(["alerts", "tokens", "checks", "spaces"]);
  const asked = (name: string, state: LimitRequest["state"]) => ({ name, state }) as LimitRequest;
  expect(askable(list, [asked("tokens", "open"), asked("checks", "declined")]).map((l) => l.name)).toEqual([
    "alerts",
    "checks",
  ]);
});

test("only what was changed is set; nothing is the server's value again", () => {
  const list = [limit("alerts", 1, 10, { own: true }), limit("spaces", 1, 20), limit("tokens", 1, 30, { own: true })];
  expect(changedLimits(list, { alerts: "10", spaces: "", tokens: "30" })).toEqual({});
  expect(changedLimits(list, { alerts: "", spaces: "5,000", tokens: "0" })).toEqual({
    alerts: null,
    spaces: 5000,
    tokens: 0,
  });
});

test("what is typed must be a whole number", () => {
  expect(numberProblem("Allow", " ")).toBe("Allow is missing.");
  expect(numberProblem("Allow", "many")).toBe("Allow must be a whole number, such as 5000.");
  expect(numberProblem("Allow", "-1")).toBe("Allow must be a whole number, such as 5000.");
  expect(numberProblem("Allow", "9".repeat(20))).toBe("Allow is too large.");
  expect(numberProblem("Allow", "50 000")).toBeUndefined();
  expect(limitProblem(limit("Alerts", 1, 10), "")).toBeUndefined();
  expect(limitProblem(limit("Alerts", 1, 10), "1.5")).toBe("Alerts must be a whole number, such as 5000.");
});
