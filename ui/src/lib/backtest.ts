import type { Condition } from "../api/types";
import type { Backtest } from "../api/types.gen";
import { chosen, count, duration, value, whole } from "./format";

const rangeWords: Record<number, string> = { 86400: "24 hours", 604800: "7 days", 2592000: "30 days" };

type Verdict = { before: string; times: string; after: string; detail: string };

/** What the past says about a draft: one sentence, the number apart so that it can stand out. */
export function verdict(p: Backtest, seconds: number, unit: string, c: Pick<Condition, "type" | "against">): Verdict {
  const range = rangeWords[seconds] ?? duration(seconds);
  if (p.always)
    return { before: "Would be firing ", times: "all the time", after: `: 100 % of the last ${range}.`, detail: "" };
  if (p.fired === 0)
    return {
      before: `Would not have fired in the last ${range}.`,
      times: "",
      after: "",
      detail: extreme(p, unit, c.type),
    };
  const times = p.fired === 1 ? "once" : count(p.fired, "time");
  const total = `${duration(p.total_seconds)} in total${p.fired > 1 ? `, longest ${duration(p.longest_seconds)}` : ""}.`;
  return {
    before: "Would have fired ",
    times,
    after: ` in the last ${range}`,
    detail: `${total} ${c.against?.kind === "band" ? "The band of each day was learned only from the days before it." : "Replayed over stored data, as the alert itself would evaluate it."}`,
  };
}

/** What a threshold that is the same at all times would have done in place of a band. */
export function fixedWords(p: Backtest, unit: string): string | undefined {
  if (!p.fixed) return undefined;
  const all = p.fired === 1 ? "it" : p.fired === 2 ? "both" : `all ${whole(p.fired)}`;
  const times = p.fixed.fired === 1 ? "once" : count(p.fixed.fired, "time");
  return `A fixed threshold that catches ${all}, ${chosen(p.fixed.value, unit)}, would have fired ${times}.`;
}

/** How near it came. */
function extreme(p: Backtest, unit: string, type: Condition["type"]): string {
  if (type === "above" && p.highest !== null) return `The highest value was ${value(p.highest, unit)}.`;
  if (type === "below" && p.lowest !== null) return `The lowest value was ${value(p.lowest, unit)}.`;
  return "";
}

/** More than this wears people out. */
const mostADay = 3;

/** A hint when an alert would notify too often. */
export function tooOften(p: Backtest, c: Condition, seconds: number, unit: string): string | undefined {
  if (p.always || p.fired < 5 || p.fired <= (mostADay * seconds) / 86_400) return undefined;
  const often = `${count(p.fired, "time")} in ${rangeWords[seconds] ?? duration(seconds)}.`;
  const now = c.threshold;
  if (c.type === "absent" || now == null) return `${often} Consider a longer time.`;
  const better = p.thresholds
    .filter((t) => t.fired < p.fired / 3)
    .sort((a, b) => Math.abs(a.value - now) - Math.abs(b.value - now))[0];
  return `${often} Consider ${better ? `${chosen(better.value, unit)} or ` : ""}a longer time.`;
}

export type Interval = [start: number, end: number];
type Drawn = { values: readonly (number | null | undefined)[] };

/**
 * When a threshold is violated, seen from the points of a chart alone: any line
 * beyond it for as long as the condition asks. While the threshold is dragged
 * this stands in for the server's exact answer.
 */
export function violated(
  lines: readonly Drawn[],
  w: { start: number; step: number },
  c: Pick<Condition, "type" | "duration">,
  threshold: number,
): Interval[] {
  const beyond = c.type === "below" ? (v: number) => v < threshold : (v: number) => v > threshold;
  return lasting(lines, w, c.duration ?? 0, beyond);
}

/** When something holds of any line for as long as it must. */
export function lasting(
  lines: readonly Drawn[],
  w: { start: number; step: number },
  duration: number,
  holds: (v: number, at: number) => boolean,
): Interval[] {
  const all = lines.flatMap(({ values }) => runs(values, holds, w).filter(([a, b]) => b - a >= duration));
  // It fires once it has lasted, so that is where a mark begins.
  return union(all.map(([a, b]): Interval => [a + duration, b]));
}

/** The runs of points for which something holds. A missing point changes nothing. */
function runs(
  values: Drawn["values"],
  holds: (v: number, at: number) => boolean,
  w: { start: number; step: number },
): Interval[] {
  const out: Interval[] = [];
  let since: number | undefined;
  for (const [i, v] of values.entries()) {
    if (v == null) continue;
    const at = w.start + i * w.step;
    if (holds(v, at)) since ??= at;
    else if (since !== undefined) {
      out.push([since, at]);
      since = undefined;
    }
  }
  if (since !== undefined) out.push([since, w.start + values.length * w.step]);
  return out;
}

/** Intervals that touch become one. */
export function union(all: Interval[]): Interval[] {
  const out: Interval[] = [];
  for (const [a, b] of [...all].sort((x, y) => x[0] - y[0])) {
    const last = out.at(-1);
    if (last && a <= last[1]) last[1] = Math.max(last[1], b);
    else out.push([a, b]);
  }
  return out;
}

/** The times that are in every list. */
export function together(lists: Interval[][]): Interval[] {
  const [first = [], ...rest] = lists;
  return rest.reduce<Interval[]>(
    (kept, other) =>
      kept.flatMap(([a, b]) =>
        other.flatMap(([c, d]): Interval[] =>
          Math.max(a, c) < Math.min(b, d) ? [[Math.max(a, c), Math.min(b, d)]] : [],
        ),
      ),
    first,
  );
}

/** Two conditions as one expression: the first by the second, for each group they share. */
export function tied(a: Condition, b: Condition): { composite: string; threshold: number | null } {
  const group = a.tags.find((t) => t.grouped)?.name;
  const read = (c: Condition) => {
    const tags = c.tags
      .filter((t) => t.name !== group && (t.values ?? []).some((v) => v !== "*"))
      .map((t) => `"${t.name}": ${JSON.stringify(t.values?.length === 1 ? t.values[0] : t.values)}`);
    if (group) tags.push(`"${group}": "&"`);
    const fn = c.summary_function && c.summary_function !== "average" ? `, {function: "${c.summary_function}"}` : "";
    return `${combine[c.summary_function ?? ""] ?? "mean"}(s("${c.metric_name}", ${tags.length ? `{${tags.join(", ")}}` : '"*"'}${fn}))`;
  };
  const inner = `divide([\n  ${read(a)},\n  ${read(b)}\n])`;
  const threshold = a.threshold != null && b.threshold ? Number((a.threshold / b.threshold).toPrecision(3)) : null;
  return { composite: group ? `map({"${group}": "*"}, ${inner})` : inner, threshold };
}

const combine: Record<string, string> = { max: "max", min: "min", sum: "sum", count: "sum" };
