import type { BurnRate, ObjectiveDay, ObjectiveStatus } from "../api/ui.gen";
import { count, dayAndMonth, duration, whole } from "./format";
import { type Viewer, viewer } from "./viewer";

/** "99.957 %": a share of nearly everything, in the digits that tell it apart from all. */
export const share = (v: number, { locale }: Viewer = viewer()): string =>
  `${new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }).format(Math.floor(v * 1000 + 1e-6) / 1000)}\u00a0%`;

/** How a burn rate stands to its limit. */
export function burnState({ rate, limit }: Pick<BurnRate, "rate" | "limit">): "no data" | "over" | "near" | "quiet" {
  if (rate === null) return "no data";
  if (rate > limit) return "over";
  return rate >= 0.75 * limit ? "near" : "quiet";
}

/** "1 h and 5 min" */
export const burnWindow = (b: Pick<BurnRate, "long" | "short">): string =>
  `${duration(b.long)} and ${duration(b.short)}`;

export const stateWords: Record<ObjectiveStatus["state"], string> = {
  met: "Met",
  "at risk": "At risk",
  missed: "Missed",
  "no data": "No data",
};

/** Of a day: nothing counted, within its share of the budget, over it, or a tenth of all of it. */
export function dayState(d: ObjectiveDay, days: number): "none" | "within" | "over" | "much" {
  if (d.total <= 0) return "none";
  if (d.spent > 10) return "much";
  return d.spent > 100 / days ? "over" : "within";
}

/** "3 Nov: 99.69 %, 13,050 bad, 11 % of the budget." */
export function dayWords(d: ObjectiveDay, who: Viewer = viewer()): string {
  if (d.total <= 0) return `${dayAndMonth(d.at, who)}: no data.`;
  const good = share(100 * (1 - d.bad / d.total), who);
  return `${dayAndMonth(d.at, who)}: ${good}, ${whole(d.bad, who)} bad, ${share(d.spent, who)} of the budget.`;
}

/** What a preview over stored data says. */
export function keptWords(met: number, of: number, days: number): string {
  if (of === 0) return "Nothing is stored of these metrics yet.";
  if (of === 1) return `You would have ${met === 1 ? "met" : "missed"} it in the last ${days} days.`;
  return `You would have met it in ${met} of the last ${count(of, "window")} of ${days} days.`;
}

/** A burn alert that is offered: an ordinary alert with a budget condition. */
export function burnAlert(
  o: { name: string; good_metric: string; total_metric: string; target: number },
  b: Pick<BurnRate, "long" | "limit">,
  services: number[],
) {
  const name = o.name.replace(/[^A-Za-z0-9.:_ -]/g, "-").slice(0, 200);
  return {
    name: `${name} burns over ${duration(b.long)}`,
    description: null,
    severity: b.long < 86_400 ? ("critical" as const) : ("warning" as const),
    conditions: [
      {
        type: "above" as const,
        metric_name: o.total_metric,
        threshold: b.limit,
        summary_function: "sum",
        tags: [],
        against: { kind: "budget" as const, period: b.long, good_metric: o.good_metric, objective: o.target },
      },
    ],
    services,
    attributes: {},
    active: true,
    rearm_seconds: 3600,
    labels: {},
    escalation: [],
  };
}
