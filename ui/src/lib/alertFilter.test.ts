import { expect, test } from "vitest";
import type { AlertSummary } from "../api/ui.gen";
import { countIn, isAsked, servicesOf, windowsOf, windowWords } from "./alertFilter";

const alert = (more: Partial<AlertSummary>): AlertSummary =>
  ({ id: 1, state: "ok", severity: "", labels: {}, services: [], ...more }) as AlertSummary;

test("each filter by itself, and all together", () => {
  const ops = { id: 7, type: "slack", title: "#ops" };
  const a = alert({ state: "firing", severity: "critical", labels: { team: "a" }, services: [ops] });
  expect(isAsked(a, {})).toBe(true);
  expect(isAsked(a, { state: "firing", severity: "critical", label: "team=a,team=b", service: "7" })).toBe(true);
  expect(isAsked(a, { state: "ok" })).toBe(false);
  expect(isAsked(a, { state: "acknowledged" })).toBe(false);
  expect(isAsked({ ...a, acknowledged_at: 5 }, { state: "acknowledged" })).toBe(true);
  expect(isAsked(a, { severity: "none" })).toBe(false);
  expect(isAsked(alert({}), { severity: "none" })).toBe(true);
  expect(isAsked(a, { label: "team=b" })).toBe(false);
  expect(isAsked(a, { service: "8" })).toBe(false);
  expect(isAsked(a, { maintenance: "3" })).toBe(false);
});

test("counts heed the other filters", () => {
  const all = [alert({ state: "firing", severity: "info" }), alert({ state: "firing" }), alert({})];
  expect(countIn(all, { severity: "info", state: "ok" }, "firing")).toBe(1);
  expect(countIn(all, {}, "")).toBe(3);
});

test("services by title, each once", () => {
  const [b, a] = [
    { id: 1, type: "mail", title: "b" },
    { id: 2, type: "mail", title: "a" },
  ];
  expect(servicesOf([alert({ services: [b, a] }), alert({ services: [b] })]).map((s) => s.title)).toEqual(["a", "b"]);
});

test("maintenance under way, in words", () => {
  const window = { id: 3, name: "Upgrade", until: 9 };
  const all = [alert({ maintenance: window }), alert({}), alert({ maintenance: window })];
  expect(windowsOf(all)).toMatchObject([{ id: 3, name: "Upgrade", alerts: [{}, {}] }]);
  const states = (...list: string[]) => windowWords(list.map((state) => ({ state })));
  expect(states("ok", "ok")).toBe("2 alerts are evaluated but notify nobody; both are quiet.");
  expect(states("ok")).toBe("1 alert is evaluated but notifies nobody; it is quiet.");
  expect(states("firing")).toBe("1 alert is evaluated but notifies nobody; it fires.");
  expect(states("ok", "firing", "ok")).toBe("3 alerts are evaluated but notify nobody; 1 of them fires.");
  expect(windowWords([{ state: "ok" }, { state: "firing" }], true)).toBe("2 alerts are not evaluated.");
  expect(states("ok", "ok", "ok")).toBe("3 alerts are evaluated but notify nobody; all are quiet.");
});
