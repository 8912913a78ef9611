import type { Against, Condition } from "../api/types";

/** What a condition can say a metric does: the side, and what it is compared with. */
export const choices = [
  { value: "above", label: "goes above" },
  { value: "below", label: "goes below" },
  { value: "absent", label: "is absent" },
  { value: "past.above", label: "is above the past" },
  { value: "past.below", label: "is below the past" },
  { value: "band.both", label: "leaves its usual band" },
  { value: "band.above", label: "rises above its usual band" },
  { value: "band.below", label: "falls below its usual band" },
  { value: "change.above", label: "rises within" },
  { value: "change.below", label: "falls within" },
  { value: "budget.above", label: "burns its error budget" },
];

const starts: Record<Exclude<Against["kind"], "none">, { against: Against; threshold: number }> = {
  past: { against: { kind: "past", period: 604_800 }, threshold: 150 },
  band: { against: { kind: "band", weeks: 6, by: "hour_of_week", least: 0 }, threshold: 3 },
  change: { against: { kind: "change", period: 600 }, threshold: 50 },
  budget: { against: { kind: "budget", period: 3_600, objective: 99.9 }, threshold: 14 },
};

/** Whether readings are compared with something else than the threshold. */
export const isCompared = (c: Pick<Condition, "against">) => c.against !== undefined && c.against.kind !== "none";

/** Which of the choices a condition is. */
export function choiceOf(c: Condition): string {
  if (!c.against || c.against.kind === "none") return c.type;
  return `${c.against.kind}.${c.against.both ? "both" : c.type}`;
}

/** The condition with another choice; what it had of the same kind stays. */
export function choose(c: Condition, choice: string): Condition {
  const [kind, side] = choice.split(".") as [keyof typeof starts, string | undefined];
  if (!side) {
    const type = choice as Condition["type"];
    const { against: _, ...rest } = c;
    const plain: Condition = { ...rest, type, ...(type === "absent" && !c.duration && { duration: 300 }) };
    // Left out it would stay as it was saved.
    return c.against ? { ...plain, against: { kind: "none" } } : plain;
  }
  const start = starts[kind];
  const same = c.against?.kind === kind;
  const { both: _, ...against } = same && c.against ? c.against : start.against;
  return {
    ...c,
    type: side === "below" ? "below" : "above",
    threshold: same ? (c.threshold ?? start.threshold) : kind === "past" && side === "below" ? 50 : start.threshold,
    against: side === "both" ? { ...against, both: true } : against,
  };
}

/** The unit of what is compared with the threshold. */
export function comparedUnit(c: Pick<Condition, "against"> | undefined, unit: string): string {
  const g = c?.against;
  if (!g || g.kind === "none") return unit;
  if (g.kind === "band") return "spreads";
  if (g.kind === "budget") return "times";
  return g.absolute ? unit : "%";
}
