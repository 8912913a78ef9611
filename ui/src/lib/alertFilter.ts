import type { AlertSummary, AlertViewFilter, MaintenanceNow } from "../api/ui.gen";
import { passes, readFilter } from "./labels";

/** What the list of alerts shows, as its address says it. */
export type AlertFilter = {
  state?: string;
  severity?: string;
  /** team=checkout,tier=1 */
  label?: string;
  /** Ids. */
  service?: string;
  maintenance?: string;
};

/** That, and the words that are looked for. */
export type Viewed = AlertFilter & { q?: string };

const kept = ["q", "state", "severity", "label", "service"] as const;

/** What a view keeps of it: not the maintenance, which is over soon. */
export function viewOf(asked: Viewed): AlertViewFilter {
  const set = kept.filter((k) => asked[k]).map((k) => [k, asked[k]]);
  return Object.fromEntries(set);
}

/** The list without filters. */
export const noView: Viewed = { q: "", state: "", severity: "", label: "", service: "", maintenance: "" };

export const isSameView = (a: AlertViewFilter, b: AlertViewFilter): boolean =>
  kept.every((k) => (a[k] ?? "") === (b[k] ?? ""));

/** Alerts without a severity. */
export const unset = "none";

const inState = (a: AlertSummary, state = "") =>
  state === "" || (state === "acknowledged" ? Boolean(a.acknowledged_at) && a.state === "firing" : a.state === state);

/** Whether an alert is one of those that are asked for. */
export function isAsked(a: AlertSummary, f: AlertFilter): boolean {
  if (!inState(a, f.state)) return false;
  if (f.severity && (a.severity || unset) !== f.severity) return false;
  if (f.service && !a.services.some((s) => String(s.id) === f.service)) return false;
  if (f.maintenance && String(a.maintenance?.id) !== f.maintenance) return false;
  return passes(a.labels, readFilter(f.label));
}

/** How many are in a state, of those that pass the other filters. */
export const countIn = (all: AlertSummary[], f: AlertFilter, state: string): number =>
  all.filter((a) => isAsked(a, { ...f, state })).length;

/** The services that some of them notify, by title. */
export function servicesOf(all: AlertSummary[]): { id: number; title: string }[] {
  const found = new Map(all.flatMap((a) => a.services.map((s) => [s.id, s])));
  return [...found.values()].sort((a, b) => a.title.localeCompare(b.title));
}

/** Maintenance windows that are under way, each with the alerts in it, the largest first. */
export function windowsOf(all: AlertSummary[]) {
  const found = new Map<number, MaintenanceNow & { alerts: AlertSummary[] }>();
  for (const a of all) {
    if (!a.maintenance) continue;
    const window = found.get(a.maintenance.id) ?? { ...a.maintenance, alerts: [] };
    window.alerts.push(a);
    found.set(window.id, window);
  }
  return [...found.values()].sort((a, b) => b.alerts.length - a.alerts.length);
}

/** "2 alerts are evaluated but notify nobody; both are quiet." */
export function windowWords(alerts: { state: string }[], suspended = false): string {
  const n = alerts.length;
  const firing = alerts.filter((a) => a.state === "firing").length;
  const what = suspended ? "not evaluated" : n === 1 ? "evaluated but notifies nobody" : "evaluated but notify nobody";
  const head = n === 1 ? `1 alert is ${what}` : `${n} alerts are ${what}`;
  if (suspended) return `${head}.`;
  const all = n === 1 ? "it" : n === 2 ? "both" : "all";
  if (firing === 0) return `${head}; ${all === "it" ? "it is" : `${all} are`} quiet.`;
  if (firing === n) return `${head}; ${all === "it" ? "it fires" : `${all} fire`}.`;
  return `${head}; ${firing} of them ${firing === 1 ? "fires" : "fire"}.`;
}
