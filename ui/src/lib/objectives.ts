import type { Objective } from "../api/types.gen";
import type { BudgetPoint, BurnAlert, BurnRate, ObjectiveDay, ObjectiveStatus, SpentTime } from "../api/ui.gen";
import { chosen, count, dayAndMonth, duration, whole } from "./format";
import { sameText } from "./tagOf";
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

/** What of all is good, as a sentence goes on after "99 % of": the words that name metrics apart from the others. */
export function goodWords(o: Source, unit = ""): { metric: boolean; text: string }[] {
  const plain = (text: string) => ({ metric: false, text });
  const metric = (text: string) => ({ metric: true, text });
  if (o.below === null) return [metric(o.total_metric), plain(" are to be "), metric(o.good_metric)];
  return [plain("the values of "), metric(o.total_metric), plain(` are to be at most ${chosen(o.below, unit)}`)];
}

/** "kind = web or api" */
export const tagWords = (t: { name: string; values?: string[] | undefined }): string =>
  `${t.name} = ${(t.values ?? []).join(" or ")}`;

type Source = Pick<Objective, "good_metric" | "total_metric" | "below">;

/** Where the line falls most: at least a twentieth of the budget in one step, the largest first. */
export function drops(line: BudgetPoint[], most = 3): { at: number; left: number; spent: number }[] {
  const found = line.slice(1).map((p, i) => ({ at: p.at, left: p.left, spent: (line[i]?.left ?? p.left) - p.left }));
  return found
    .filter((d) => d.spent >= 5 && d.left > 0)
    .sort((a, b) => b.spent - a.spent)
    .slice(0, most);
}

/** What to call a time that spent the budget: what happened then, or that nothing is known. */
export function spentName(t: Pick<SpentTime, "incidents" | "annotations">): string {
  return t.incidents[0]?.name ?? t.annotations[0]?.title ?? "No incident or annotation";
}

/** One incident of each alert: an alert that fired again and again is said once. */
export function firstOfEach(incidents: SpentTime["incidents"]): SpentTime["incidents"] {
  const seen = new Set<number>();
  return incidents.filter((i) => !seen.has(i.alert_id) && seen.add(i.alert_id));
}

/** "The first two notify On-call, the others #ops." of alerts by their window. */
export function notifyWords(alerts: Pick<BurnAlert, "period" | "services">[]): string {
  const who = (list: typeof alerts) => [...new Set(list.flatMap((a) => a.services))].join(", ");
  const fast = who(alerts.filter((a) => a.period < 86_400));
  const slow = who(alerts.filter((a) => a.period >= 86_400));
  if (!fast && !slow) return "They notify nobody yet.";
  if (fast === slow) return `They notify ${fast}.`;
  if (!slow) return `Those under a day notify ${fast}, the others nobody.`;
  if (!fast) return `Those over a day notify ${slow}, the others nobody.`;
  return `Those under a day notify ${fast}, the others ${slow}.`;
}

/** A burn alert that is offered: an ordinary alert with a budget condition. */
export function burnAlert(
  o: Pick<
    Objective,
    | "name"
    | "good_metric"
    | "total_metric"
    | "target"
    | "below"
    | "tags"
    | "group_by"
    | "labels"
    | "without_maintenance"
  >,
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
        tags: grouped(o.tags, o.group_by),
        against: {
          kind: "budget" as const,
          period: b.long,
          objective: o.target,
          ...(o.below === null ? { good_metric: o.good_metric } : { below: o.below }),
          ...(o.without_maintenance && { without_maintenance: true }),
        },
      },
    ],
    services,
    attributes: {},
    active: true,
    rearm_seconds: 3600,
    labels: o.labels,
    escalation: [],
  };
}

/** Tags that pick streams, and the one whose values are evaluated each on its own. */
function grouped(tags: Objective["tags"], by: string): Objective["tags"] {
  if (!by) return tags;
  if (tags.some((t) => sameText(t.name, by)))
    return tags.map((t) => (sameText(t.name, by) ? { ...t, grouped: true } : t));
  return [...tags, { name: by, values: ["*"], grouped: true }];
}
