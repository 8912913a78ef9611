import { expect, test } from "vitest";
import type { AlertSummary } from "../api/ui.gen";
import { chosenAlerts } from "./alerts";

const alert = (name: string, more: Partial<AlertSummary>) =>
  ({ name, state: "firing", severity: "", labels: {}, since: 0, ...more }) as AlertSummary;

test("what fires and nobody acknowledged comes first, then the worst, then the latest", () => {
  const all = [
    alert("quiet", { state: "ok" }),
    alert("taken", { severity: "critical", acknowledged_at: 5 }),
    alert("old", { severity: "warning", since: 1 }),
    alert("new", { severity: "warning", since: 2 }),
    alert("bad", { severity: "critical" }),
  ];
  expect(chosenAlerts(all, "").map((a) => a.name)).toEqual(["bad", "new", "old", "taken", "quiet"]);
});

test("every word is looked for in names and labels", () => {
  const all = [alert("Disk full", { labels: { team: "checkout" } }), alert("disk slow", {})];
  expect(chosenAlerts(all, "disk team=check").map((a) => a.name)).toEqual(["Disk full"]);
  expect(chosenAlerts(all, "DISK").length).toBe(2);
  expect(chosenAlerts(all, "cpu")).toEqual([]);
});
