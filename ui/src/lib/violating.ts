import type { Condition } from "../api/types";
import type { Violation } from "../api/types.gen";
import type { AlertDetail, ViolatingStream } from "../api/ui.gen";
import { type Line, lastValue } from "../chart/data";
import { tagsOf } from "../chart/streams";
import { violationKey } from "./alertWords";
import { sameText } from "./tagOf";

/** A stream of an incident, as its table shows it. */
export type IncidentStream = {
  key: string;
  name: string;
  line: Line | undefined;
  /** Not of one that is silent, or of an incident that is over. */
  now?: number;
  peak: number;
  unit: string;
  since: number;
  silent: boolean;
  joined: boolean;
};

/** "a=1,b=2": how violations name a stream. Names of tags are in the order that they have in lower case. */
const streamName = (tags: Record<string, string>) =>
  Object.entries(tags)
    .sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
    .map(([k, v]) => `${k}=${v}`)
    .join(",");

const lineOf = (v: { stream: string }, lines: Line[]) => lines.find((l) => sameText(streamName(l.tags), v.stream));

/** Which value of two is further beyond the condition: more than 0 if b is. */
function worse(c: Condition | undefined, a: number, b: number): number {
  const ratio = !c?.against || (c.against.kind === "past" && !c.against.absolute);
  return c?.type === "below" && ratio ? a - b : b - a;
}

/** The streams that violate now, worst first; of several conditions, in their order. */
export function violatingStreams(a: AlertDetail, lines: Line[]): IncidentStream[] {
  const { conditions } = a.alert;
  const place = (v: ViolatingStream) => conditions.findIndex((c) => c.id === v.condition_id);
  return a.violating
    .map((v) => {
      const condition = conditions[place(v)];
      const line = place(v) === 0 ? lineOf(v, lines) : undefined;
      // What is compared with the past is no value of the line.
      const now = (line && !condition?.against ? lastValue(line.values, true) : null) ?? v.value;
      return { v, condition, line, now };
    })
    .sort((x, y) => place(x.v) - place(y.v) || worse(x.condition, x.now, y.now))
    .map(({ v, condition, line, now }) => {
      const silent = condition?.type === "absent";
      return {
        key: violationKey(v),
        name: v.stream || v.metric,
        line,
        ...(!silent && { now }),
        peak: worse(condition, v.peak, now) > 0 ? now : v.peak,
        unit: v.unit,
        since: silent ? v.recorded_at : v.since,
        silent,
        joined: v.joined ?? false,
      };
    });
}

type Over = { triggered_at: number; violations: Violation[] };

/** The streams that took part in an incident that is over, worst first. */
export function tookPart(a: AlertDetail, i: Over, lines: Line[], unit: string): IncidentStream[] {
  const { conditions } = a.alert;
  const place = (v: Violation) => conditions.findIndex((c) => c.id === v.condition_violated);
  return i.violations
    .toSorted((x, y) => place(x) - place(y) || worse(conditions[place(x)], x.value, y.value))
    .map((v) => ({
      key: violationKey({ ...v, condition_id: v.condition_violated }),
      name: v.stream || v.metric,
      line: place(v) === 0 ? lineOf(v, lines) : undefined,
      peak: v.value,
      unit: conditions[place(v)]?.against ? "" : unit,
      since: v.since,
      silent: conditions[place(v)]?.type === "absent",
      joined: v.since > i.triggered_at,
    }));
}

/** The tags that tell the streams apart, if all can be told apart by them. */
export function tellingTags(streams: IncidentStream[]): string[] {
  const lines = streams.flatMap((s) => (s.line ? [s.line] : []));
  return lines.length === streams.length && lines.length > 1 ? tagsOf(lines).differing : [];
}

/** What a stream is called where only these tags differ. */
export const called = (s: IncidentStream, tags: string[]): string =>
  tags.length ? tags.map((t) => s.line?.tags[t] ?? "–").join(", ") : s.name;
