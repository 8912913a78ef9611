import type { AlertSummary } from "../api/ui.gen";
import { labelList } from "../lib/labels";

const severities = ["critical", "warning", "info", ""];
const states = ["firing", "ok", "snoozed", "inactive"];

/** The alerts that have every word of a search in their name or labels: what fires and nobody acknowledged first, then by severity and start. */
export function chosenAlerts(alerts: AlertSummary[], find: string): AlertSummary[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (a: AlertSummary) => {
    const text = [a.name, ...labelList(a.labels)].join(" ").toLowerCase();
    return words.every((w) => text.includes(w));
  };
  return alerts
    .filter(fits)
    .sort(
      (a, b) =>
        states.indexOf(a.state) - states.indexOf(b.state) ||
        Number(Boolean(a.acknowledged_at)) - Number(Boolean(b.acknowledged_at)) ||
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        b.since - a.since ||
        a.name.localeCompare(b.name),
    );
}
