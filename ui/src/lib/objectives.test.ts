import { expect, test } from "vitest";
import { burnAlert, burnState, burnWindow, dayState, dayWords, keptWords, share } from "./objectives";

const who = { locale: "en-GB", zone: "UTC" };

test("a share never looks like all of it", () => {
  expect(share(99.957, who)).toBe("99.957\u00a0%");
  expect(share(99.9999, who)).toBe("99.999\u00a0%");
  expect(share(100, who)).toBe("100\u00a0%");
});

test("burn rates are quiet, near or over", () => {
  expect(burnState({ rate: null, limit: 14 })).toBe("no data");
  expect(burnState({ rate: 2, limit: 14 })).toBe("quiet");
  expect(burnState({ rate: 0.8, limit: 1 })).toBe("near");
  expect(burnState({ rate: 1.1, limit: 1 })).toBe("over");
  expect(burnWindow({ long: 21_600, short: 1800 })).toBe("6 h and 30 min");
});

test("a day says what it cost", () => {
  const day = { at: Date.UTC(2026, 10, 3) / 1000, total: 1000, bad: 4, spent: 11 };
  expect(dayWords(day, who)).toBe("3 Nov: 99.6\u00a0%, 4 bad, 11\u00a0% of the budget.");
  expect(dayState(day, 28)).toBe("much");
  expect(dayState({ ...day, spent: 5 }, 28)).toBe("over");
  expect(dayState({ ...day, spent: 3 }, 28)).toBe("within");
  expect(dayState({ ...day, total: 0 }, 28)).toBe("none");
  expect(dayWords({ ...day, total: 0 }, who)).toBe("3 Nov: no data.");
});

test("a preview counts windows", () => {
  expect(keptWords(0, 0, 28)).toMatch(/Nothing is stored/);
  expect(keptWords(1, 1, 28)).toBe("You would have met it in the last 28 days.");
  expect(keptWords(5, 6, 30)).toBe("You would have met it in 5 of the last 6 windows of 30 days.");
});

test("an alert that is offered is an ordinary one", () => {
  const o = { name: "Checkout: answers/ä", good_metric: "good", total_metric: "all", target: 99.9 };
  const a = burnAlert(o, { long: 3600, limit: 14 }, [3]);
  expect(a.name).toBe("Checkout: answers-- burns over 1 h");
  expect(a.severity).toBe("critical");
  expect(a.conditions[0]?.against).toEqual({ kind: "budget", period: 3600, good_metric: "good", objective: 99.9 });
});
