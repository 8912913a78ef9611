import type { Condition } from "../api/types";

/** What the server says is wrong, by field ("conditions.threshold"). */
export type FieldProblems = Record<string, string[]>;

const labels: Record<string, string> = {
  metric_name: "Metric",
  threshold: "Threshold",
  duration: "For how long",
  type: "Condition",
  summary_function: "Function",
  tags: "Tags",
  period: "Period",
  objective: "Objective",
  good_metric: "Metric of what was good",
  least: "At least",
  below: "Good up to",
};

/** Whether a problem of this field can be one of this condition: the server does not say which one it means. */
function concerns(c: Condition, field: string, said: string): boolean {
  if (field === "metric_name") return said === "is not present" ? c.metric_name === "" : named(said, c.metric_name);
  if (field === "threshold") return c.type !== "absent" && c.threshold == null;
  if (field === "duration") return said === "must be set" ? c.type === "absent" && !c.duration : Boolean(c.duration);
  return true;
}

const named = (said: string, metric: string) => !said.endsWith(" does not exist") || said.startsWith(`${metric} `);

/** The problems of each condition in the server's words, after the name of the control they are about. */
export function conditionProblems(conditions: Condition[], problems: FieldProblems): string[][] {
  const said = Object.entries(problems).flatMap(([path, list]) => {
    const [of, field = ""] = path.split(".");
    return of === "conditions" ? list.map((text) => ({ field, text })) : [];
  });
  return conditions.map((c) =>
    said
      .filter(({ field, text }) => concerns(c, field, text))
      .map(({ field, text }) => `${labels[field] ?? "Conditions"}: ${text}`),
  );
}
