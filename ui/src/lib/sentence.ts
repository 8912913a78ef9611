import type { Condition, TagFilter } from "../api/types";

/**
 * The twin of sentence.go, for drafts that the server has not seen yet. Both
 * are tested with the same sentences; there is no third wording.
 */
export function alertSentence(conditions: Condition[], unit: (metric: string) => string = () => ""): string {
  if (conditions.length === 0) return "no conditions: it never fires";
  return conditions.map((c) => conditionSentence(c, unit(c.metric_name))).join(", and ");
}

/** "checkout.latency.p99 max above 250 ms for 5 min, per region" */
export function conditionSentence(c: Condition, unit = ""): string {
  let out = c.metric_name;
  const fn = c.summary_function && c.summary_function !== "mean" ? c.summary_function : "average";
  if (fn !== "average" && c.type !== "absent") out += ` ${fn.replaceAll("_", " ")}`;
  out += ` ${c.type}`;
  if (c.type !== "absent" && c.threshold != null) out += ` ${c.threshold}${unit ? ` ${unit}` : ""}`;
  if (c.duration) out += ` for ${seconds(c.duration)}`;
  for (const words of c.tags.map(tagSentence)) if (words) out += `, ${words}`;
  const groups = c.tags.filter((t) => t.grouped).map((t) => t.name);
  return groups.length ? `${out}, per ${groups.join(" and ")}` : out;
}

/** Which values of the tag are meant, or nothing if any will do. */
function tagSentence(f: TagFilter): string {
  const values = f.values ?? [];
  if (values.length === 0 || (values.length === 1 && values[0] === "*")) return "";
  const is = values.filter((v) => !v.startsWith("!"));
  const not = values.filter((v) => v.startsWith("!")).map((v) => v.slice(1));
  if (not.length === 0) return `${f.name} ${is.join(" or ")}`;
  if (is.length === 0) return `${f.name} not ${not.join(" nor ")}`;
  return `${f.name} ${is.join(" or ")} but not ${not.join(" nor ")}`;
}

function seconds(s: number): string {
  const parts: string[] = [];
  let rest = s;
  for (const [name, n] of [
    ["d", 86400],
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ] as const) {
    const whole = Math.floor(rest / n);
    if (whole > 0) parts.push(`${whole} ${name}`);
    rest %= n;
  }
  return parts.join(" ") || "0 s";
}
