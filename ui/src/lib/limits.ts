import type { LimitPast, LimitRequest, LimitUse } from "../api/ui.gen";
import { count, value, whole } from "./format";

const daySeconds = 86_400;

/** How near a limit is: quiet, near from 80 % on, at it. */
export type Nearness = "quiet" | "near" | "at";

/** What part of a limit is used, in percent; undefined where nothing is counted, or there is no limit. */
export const share = ({ use, limit }: LimitUse): number | undefined =>
  use === null || limit === 0 ? undefined : (use / limit) * 100;

/** A part of a limit, whole: 82 %. */
export const percent = (part: number): string =>
  part > 0 && part < 1 ? `under ${value(1, "%")}` : value(Math.round(part), "%");

export function nearness(l: LimitUse): Nearness {
  const part = share(l) ?? 0;
  if (part >= 100) return "at";
  return part >= 80 ? "near" : "quiet";
}

/** A number of a limit: bytes in their unit, everything else whole. */
export function amount(l: { unit: string }, n: number): string {
  return l.unit.startsWith("bytes") ? value(n, "B") : whole(n);
}

/** What an organization has or does, what is counted first, the nearest to its limit first of all. */
export function ofOrganization(list: LimitUse[]): LimitUse[] {
  const order = (l: LimitUse) => (share(l) === undefined ? -1 : Math.floor(Math.max(share(l) ?? 0, 79)));
  return list.filter((l) => l.scope === "organization").sort((a, b) => order(b) - order(a));
}

/** What one stream, annotation, alert or query may be, and what all organizations share. */
export const ofOthers = (list: LimitUse[]): LimitUse[] => list.filter((l) => l.scope !== "organization");

/** The limit that is worst off, if one is near. */
export function worst(list: LimitUse[]): LimitUse | undefined {
  const near = list.filter((l) => nearness(l) !== "quiet");
  return near.sort((a, b) => (share(b) ?? 0) - (share(a) ?? 0))[0];
}

/** What was used of a limit on each of the last days; null where it is not known. */
export function lineOf(past: LimitPast, now = Date.now() / 1000, n = 30): (number | null)[] {
  const today = Math.floor(now / daySeconds);
  const used = new Map(past.days.map((d) => [Math.floor(d.day / daySeconds), d.use]));
  return Array.from({ length: n }, (_, i) => used.get(today - (n - 1 - i)) ?? null);
}

/** The line in a sentence, for those who do not see it. */
export function lineSentence(l: LimitUse, line: (number | null)[]): string {
  const known = line.filter((v) => v !== null);
  const [from, to] = [Math.min(...known), Math.max(...known)];
  const days = `of the last ${line.length} days`;
  return from === to ? `${amount(l, to)} on each ${days}` : `between ${amount(l, from)} and ${amount(l, to)} ${days}`;
}

/** When a limit is reached, where its past says so. */
export function forecast(past: LimitPast | undefined, now = Date.now() / 1000): string | undefined {
  if (!past || past.reaches_at === null) return undefined;
  const days = Math.max(1, Math.round((past.reaches_at - Math.floor(now / daySeconds) * daySeconds) / daySeconds));
  return `reaches the limit in about ${days === 1 ? "a day" : count(days, "day")} at this pace`;
}

/** The limit that is reached first, of those whose past says so. */
export function soonest(list: LimitUse[], past: LimitPast[]): LimitUse | undefined {
  const next = past.filter((p) => p.reaches_at !== null).sort((a, b) => (a.reaches_at ?? 0) - (b.reaches_at ?? 0))[0];
  return list.find((l) => l.name === next?.name);
}

/** What to type to get more, for the operator of the server. */
export function command(org: string, l: LimitUse | undefined): string {
  const name = `'${org.replaceAll("'", "'\\''")}'`;
  if (!l || l.fixed) return `tidemark org limits ${name}`;
  return `tidemark org limits ${name} ${l.name}=${l.limit * 2}`;
}

/** Those that an organization may have values of its own of, the nearest first. */
export const settable = (list: LimitUse[]): LimitUse[] =>
  list.filter((l) => !l.fixed && l.scope !== "server").sort((a, b) => (share(b) ?? -1) - (share(a) ?? -1));

/** Those that can be asked for: bounded, and not waiting for an answer. */
export function askable(list: LimitUse[], requests: LimitRequest[]): LimitUse[] {
  const waiting = new Set(requests.filter((r) => r.state === "open").map((r) => r.name));
  return settable(list).filter((l) => l.limit > 0 && !waiting.has(l.name));
}

const spaces = /[\s,_]/g;

/** A number as it is typed: 50,000 and 50 000 are 50000. */
export const readNumber = (text: string): number => Number(text.replace(spaces, ""));

/** What is wrong with a number that was typed. */
export function numberProblem(label: string, text: string): string | undefined {
  if (text.trim() === "") return `${label} is missing.`;
  const plain = text.replace(spaces, "");
  if (!/^\d+$/.test(plain)) return `${label} must be a whole number, such as 5000.`;
  return Number.isSafeInteger(Number(plain)) ? undefined : `${label} is too large.`;
}

/** Likewise for a limit, of which nothing is the server's value. */
export const limitProblem = (l: LimitUse, text: string): string | undefined =>
  text.trim() === "" ? undefined : numberProblem(l.title, text);

/** What is to be set: numbers, and null where the server's value holds again. */
export function changedLimits(list: LimitUse[], typed: Record<string, string>): Record<string, number | null> {
  const changed: Record<string, number | null> = {};
  for (const l of list) {
    const text = (typed[l.name] ?? "").trim();
    const is = text === "" ? null : readNumber(text);
    if (is !== (l.own ? l.limit : null)) changed[l.name] = is;
  }
  return changed;
}
