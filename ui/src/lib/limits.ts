import type { LimitRequest, LimitUse } from "../api/ui.gen";
import { value, whole } from "./format";

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
