import type { TimelineEntry } from "../api/ui.gen";
import { deliveryState, ending, lasted, shortMoment, streamsInShort } from "./alertWords";
import { who } from "./audit";
import { count, duration, whole } from "./format";

/** What of an incident is shown. */
export type Part = "all" | "notifications" | "comments";

const comments = ["acknowledged", "reopened", "comment"];

export const inPart = (e: TimelineEntry, part: Part): boolean =>
  part === "all" || (part === "notifications" ? e.kind === "notified" : comments.includes(e.kind));

/** An entry in words: what happened (who or what it is about in bold), and more of it. */
export type Said = { title: string; bold?: string; detail?: string; tone?: "red" | "grn" | "amb"; state?: string };

const sent: Record<string, string> = {
  trigger: "Notified",
  reminder: "Reminder to",
  clear: "All clear to",
  test: "Test to",
};

function notified(d: NonNullable<TimelineEntry["delivery"]>, maxTries: number, now: number): Said {
  const attempts = d.answer ? [{ answer: d.answer, duration_ms: d.took_ms }] : [];
  const { word, tone, brief } = deliveryState({ ...d, attempts }, maxTries, now);
  const title = d.kind === "escalation" ? `Step ${d.step ?? 1}:` : (sent[d.kind] ?? "Notified");
  return { title, bold: d.service, state: word, tone, ...(brief && { detail: brief }) };
}

const streams = (list: string[] = []) => streamsInShort(list) || "the only stream";

/** What happened, in the words of the timeline. */
export function said(e: TimelineEntry, maxTries: number, now = Date.now() / 1000): Said {
  const text = e.text ? { detail: e.text } : {};
  switch (e.kind) {
    case "fired":
      return { title: "Fired", tone: "red", detail: streams(e.streams) };
    case "joined":
      return { title: `${count(e.streams?.length ?? 0, "more stream")}`, detail: streams(e.streams) };
    case "notified":
      return e.delivery ? notified(e.delivery, maxTries, now) : { title: "Notified" };
    case "acknowledged":
      return { title: "acknowledged", bold: who(e.by ?? ""), ...text };
    case "reopened":
      return { title: "took the acknowledgement back", bold: who(e.by ?? ""), ...text };
    case "comment":
      return { title: e.edited_at ? "(edited)" : "", bold: who(e.by ?? ""), ...text };
    case "maintenance":
      return { title: "Maintenance:", bold: e.text ?? "", detail: "Nobody is notified." };
    case "maintenance over":
      return { title: "Maintenance is over:", bold: e.text ?? "" };
    case "changed":
      return { title: "changed the alert", bold: who(e.by ?? "") };
    case "snoozed":
      return { title: "snoozed it", bold: who(e.by ?? "") };
    case "resumed":
      return { title: "ended the snooze", bold: who(e.by ?? "") };
    case "annotation":
      return { title: e.text ?? "", detail: e.by ?? "" };
    case "cleared":
      return { title: "Cleared", tone: "grn", ...ended(e) };
  }
}

function ended(e: TimelineEntry): { detail?: string } {
  const how = ending({ cleared_at: e.at, clear: e.text as "normal", cleared_by: e.by ?? null });
  return how === "cleared" ? {} : { detail: how.charAt(0).toUpperCase() + how.slice(1) };
}

type Lived = { triggered_at: number; cleared_at: number; notes?: { at: number; kind: string }[] };

/** "Cleared 14:51 after 50 min. Acknowledged after 26 min.": the record of an incident. */
export function record(i: Lived, now = Date.now() / 1000): string {
  const taken = i.notes?.find((n) => n.kind === "acknowledged");
  const answer = taken ? `Acknowledged after ${lasted(i.triggered_at, taken.at)}.` : "Nobody acknowledged it.";
  return `Cleared ${shortMoment(i.cleared_at, now)} after ${lasted(i.triggered_at, i.cleared_at)}. ${answer}`;
}

/** For how long people can change what they said, in seconds. */
export const editTime = 600;

/** Whether somebody wrote this comment and may still change it. */
export const isMine = (e: TimelineEntry, email: string, now = Date.now() / 1000): boolean =>
  e.kind === "comment" && e.id !== undefined && e.by === `user:${email}` && now - e.at < editTime;

/** "4 min 48 s", to the second below an hour: what is counted down. */
export function countdown(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60 || s >= 3600) return duration(s);
  return s % 60 ? `${Math.floor(s / 60)} min ${s % 60} s` : duration(s);
}

/** "#ops, On-call and 2 more" */
export function titles(services: { title: string }[]): string {
  const names = services.map((s) => s.title);
  if (names.length <= 2) return names.join(" and ");
  return `${names.slice(0, 2).join(", ")} and ${whole(names.length - 2)} more`;
}
