import type { Delivery, Incident } from "../api/types.gen";
import type { AlertSummary, ViolatingStream } from "../api/ui.gen";
import type { Interval } from "./backtest";
import { ago, clock, count, duration, moment, took, whole } from "./format";

/** How long something went on, or has so far. */
export const lasted = (from: number, to: number | null, now = Date.now() / 1000): string =>
  duration(Math.max(60, Math.round(((to ?? now) - from) / 60) * 60));

/** Who did something, as people say it: the log writes user:a@example.org and token:name. */
export function person(by: string): string {
  if (by.startsWith("user:")) return by.slice(5);
  return by.startsWith("token:") ? `the token ${by.slice(6)}` : by === "cli" ? "the operator" : by;
}

/** "eu-central + 1": of one tag its value says enough. Streams of the given tag come first. */
export function streamsInShort(streams: string[], tag = ""): string {
  const main = streams.find((s) => tag && s.split(",").some((pair) => pair.startsWith(`${tag}=`)));
  const first = main ?? streams[0] ?? "";
  const rest = streams.slice(1);
  const short = first.split(",").length === 1 ? first.replace(/^[^=]*=/, "") : first;
  return rest.length ? `${short} + ${whole(rest.length)}` : short;
}

/** How an incident ended, in a few words. */
export function ending(i: Pick<Incident, "cleared_at" | "clear" | "cleared_by">): string {
  if (i.cleared_at === null) return "still firing";
  if (i.clear === "manual") return i.cleared_by ? `resolved by ${person(i.cleared_by)}` : "resolved by hand";
  if (i.clear === "inactive") return "switched off";
  if (i.clear === "edited") return "conditions changed";
  return i.clear === "auto" ? "cleared after 10 days without data" : "cleared";
}

/** "18:00" today, with its day otherwise. */
export function shortMoment(at: number, now = Date.now() / 1000): string {
  const said = moment(at, now);
  return said.startsWith("Today ") ? clock(at) : said;
}

type Stated = Pick<
  AlertSummary,
  "state" | "since" | "severity" | "acknowledged_at" | "acknowledged_by" | "snoozed_until" | "last_fired_at"
> & { maintenance?: unknown };

/** Where an alert stands, in one line: "Acknowledged by ann@example.org, 2 h ago", "OK, last fired 3 h ago". */
export function stateWords(a: Stated, now = Date.now() / 1000): string {
  if (a.state === "firing" && a.acknowledged_at)
    return `Acknowledged by ${person(a.acknowledged_by ?? "")}, ${ago(a.acknowledged_at, now)}`;
  if (a.state === "firing") {
    const bad = a.severity ? `, ${a.severity.charAt(0).toUpperCase()}${a.severity.slice(1)}` : "";
    return `Firing for ${lasted(a.since, null, now)}${bad}`;
  }
  if (a.state === "snoozed") return a.snoozed_until ? `Snoozed until ${shortMoment(a.snoozed_until, now)}` : "Snoozed";
  if (a.state === "inactive") return "Inactive";
  const last = a.last_fired_at ? `last fired ${ago(a.last_fired_at, now)}` : "never fired";
  return a.maintenance ? `In maintenance, ${last}` : `OK, ${last}`;
}

/** An hour or more from now, in seconds. */
export const inHours = (n: number): number => Math.floor(Date.now() / 1000) + n * 3600;

/** Tomorrow at nine, by the browser's clock. */
export function tomorrowNine(now = new Date()): number {
  const t = new Date(now);
  t.setDate(t.getDate() + 1);
  t.setHours(9, 0, 0, 0);
  return Math.floor(t.getTime() / 1000);
}

const kinds: Record<string, string> = {
  trigger: "Fired",
  reminder: "Still firing",
  escalation: "Escalated",
  clear: "Cleared",
  test: "Test",
  report: "Scheduled picture",
};

export const deliveryKind = (kind: string): string => kinds[kind] ?? kind;

/** The first words of an answer: "503 Service Unavailable" of what came with a page of explanation. */
const opening = (answer: string) => answer.split(": ")[0] ?? answer;

type Delivered = Pick<Delivery, "status" | "tries" | "due_at"> & {
  attempts?: { answer: string; duration_ms: number }[] | undefined;
};

/**
 * How a delivery stands: the word, its tone, and the last answer in the
 * service's own words, in full and as short as fits into a row.
 */
export function deliveryState(d: Delivered, maxTries?: number, now = Date.now() / 1000) {
  const last = d.attempts?.at(-1);
  const after = last ? ` in ${took(last.duration_ms)}` : "";
  const answer = last ? last.answer + after : "";
  const brief = last ? opening(last.answer) + after : "";
  if (d.status === "delivered") return { word: "Delivered", tone: "grn" as const, answer, brief };
  if (d.status === "cancelled") {
    const why = "the incident ended before";
    return { word: "Cancelled", tone: "amb" as const, answer: why, brief: why };
  }
  if (d.status === "superseded") {
    const why = "the alert fired again before";
    return { word: "Superseded", tone: "amb" as const, answer: why, brief: why };
  }
  if (d.status === "waiting") {
    if (!last) return { word: "Waiting", tone: "amb" as const, answer: "", brief: "" };
    const next = Math.max(0, Math.round(d.due_at - now));
    const which = d.tries ? `, try ${d.tries}${maxTries ? ` of ${maxTries}` : ""}` : "";
    const tries = `${which}, next in ${duration(next)}`;
    const code = /^\d{3}\b/.exec(last.answer)?.[0] ?? opening(last.answer);
    return { word: "Retrying", tone: "amb" as const, answer: last.answer + tries, brief: code + tries };
  }
  return { word: "Not delivered", tone: "red" as const, answer, brief };
}

/** The part of a day that an alert fired, in percent, never so small that it cannot be seen. */
export function stripMarks(strip: Interval[], start: number, end: number): { left: number; width: number }[] {
  const span = end - start;
  return strip
    .filter(([a, b]) => b > start && a < end)
    .map(([a, b]) => {
      const left = ((Math.max(a, start) - start) / span) * 100;
      const width = Math.max(0.8, ((Math.min(b, end) - Math.max(a, start)) / span) * 100);
      return { left: Math.min(left, 100 - width), width };
    });
}

/** "12 minutes", "1 hour 4 minutes": a while, for ears. */
function spoken(seconds: number): string {
  const minutes = Math.max(1, Math.round(seconds / 60));
  const [h, m] = [Math.floor(minutes / 60), minutes % 60];
  return [h && count(h, "hour"), m && count(m, "minute")].filter(Boolean).join(" ");
}

const total = (list: Interval[]) => list.reduce((n, [a, b]) => n + (b - a), 0);

type Quiet = Partial<Pick<AlertSummary, "unjudged" | "maintained" | "suspended">>;

/** "in maintenance for 3 hours, not evaluated for 1 hour of it"; nothing where there was none. */
export function maintenanceWords({ maintained = [], suspended = [] }: Quiet): string {
  const [all, blind] = [total(maintained), total(suspended)];
  if (all === 0) return "";
  if (blind === 0) return `in maintenance for ${spoken(all)}`;
  if (blind === all) return `in maintenance and not evaluated for ${spoken(all)}`;
  return `in maintenance for ${spoken(all)}, not evaluated for ${spoken(blind)} of it`;
}

/** "fired twice in 24 hours, 12 minutes; nothing to evaluate for 2 hours": the strip, for those who do not see it. */
export function stripSentence(strip: Interval[], seconds = 86_400, quiet: Quiet = {}): string {
  const range =
    seconds <= 86_400 ? count(Math.round(seconds / 3600), "hour") : count(Math.round(seconds / 86_400), "day");
  const times = strip.length === 1 ? "once" : strip.length === 2 ? "twice" : count(strip.length, "time");
  const fired = strip.length ? `fired ${times} in ${range}, ${spoken(total(strip))}` : `did not fire in ${range}`;
  const blind = quiet.unjudged?.length ? `nothing to evaluate for ${spoken(total(quiet.unjudged))}` : "";
  return [fired, blind, maintenanceWords(quiet)].filter(Boolean).join("; ");
}

/** What tells the violations of an alert apart: a stream may violate several of its conditions. */
export const violationKey = (v: Pick<ViolatingStream, "condition_id" | "metric" | "stream">): string =>
  `${v.condition_id} ${v.metric} ${v.stream}`;
