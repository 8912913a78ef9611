import { expect, test } from "vitest";
import { applies, outcome, type Target, undoing } from "./bulk";

const alert = (id: number, more: Partial<Target> = {}): Target => ({
  id,
  state: "ok",
  severity: "",
  labels: {},
  services: [],
  ...more,
});

test("a change is for those that it makes a difference to", () => {
  expect(applies({ action: "acknowledge" }, alert(1))).toBe(false);
  expect(applies({ action: "acknowledge" }, alert(1, { state: "firing" }))).toBe(true);
  expect(applies({ action: "acknowledge" }, alert(1, { state: "firing", acknowledged_at: 5 }))).toBe(false);
  expect(applies({ action: "snooze" }, alert(1, { state: "inactive" }))).toBe(false);
  expect(applies({ action: "deactivate" }, alert(1))).toBe(true);
  expect(applies({ action: "activate" }, alert(1))).toBe(false);
  expect(applies({ action: "severity", severity: "info" }, alert(1, { severity: "info" }))).toBe(false);
  const ops = { id: 7, type: "slack", title: "#ops" };
  expect(applies({ action: "add service", service: 7 }, alert(1, { services: [ops] }))).toBe(false);
  expect(applies({ action: "add service", service: 7 }, alert(1))).toBe(true);
  expect(applies({ action: "labels", labels: { team: "" } }, alert(1))).toBe(false);
  expect(applies({ action: "labels", labels: { team: "" } }, alert(1, { labels: { team: "a" } }))).toBe(true);
});

test("taking it back brings each to what it was, the alike together", () => {
  expect(
    undoing({ action: "snooze" }, [alert(1), alert(2), alert(3, { state: "snoozed", snoozed_until: 90 })], [7, 8, 9]),
  ).toEqual([
    { action: "unsnooze", snoozes: [7, 8, 9], ids: [1, 2] },
    { action: "snooze", until: 90, ids: [3] },
  ]);
  expect(undoing({ action: "severity", severity: "info" }, [alert(1, { severity: "critical" }), alert(2)])).toEqual([
    { action: "severity", severity: "critical", ids: [1] },
    { action: "severity", severity: "", ids: [2] },
  ]);
  const labels = { team: "b", tier: "" };
  expect(undoing({ action: "labels", labels }, [alert(1, { labels: { team: "a", tier: "1" } }), alert(2)])).toEqual([
    { action: "labels", labels: { team: "a", tier: "1" }, ids: [1] },
    { action: "labels", labels: { team: "", tier: "" }, ids: [2] },
  ]);
  expect(undoing({ action: "acknowledge" }, [alert(1)])).toEqual([{ action: "reopen", ids: [1] }]);
  expect(undoing({ action: "deactivate" }, [alert(1)])).toEqual([{ action: "activate", ids: [1] }]);
  expect(undoing({ action: "add service", service: 7 }, [alert(1)])).toEqual([]);
});

test("the outcome in a sentence", () => {
  const done = (alerts: string) => `${alerts} snoozed.`;
  expect(outcome({ changed: [1], failed: [] }, done)).toBe("1 alert snoozed.");
  const failed = (n: number, reason = "is gone") => Array.from({ length: n }, (_, i) => ({ id: 100 + i, reason }));
  expect(outcome({ changed: [1, 2], failed: failed(3) }, done)).toBe("2 of 5 changed. 3 stay as they were: is gone.");
  expect(outcome({ changed: [], failed: failed(1) }, done)).toBe("0 of 1 changed. 1 stays as it was: is gone.");
});
