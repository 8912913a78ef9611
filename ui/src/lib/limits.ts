import type { LimitUse } from "../api/ui.gen";
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
export function amount(l: LimitUse, n: number): string {
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

/** What to type to get more, for whoever runs the server. */
export function command(org: string, l: LimitUse | undefined): string {
  const name = `'${org.replaceAll("'", "'\\''")}'`;
  if (!l || l.fixed) return `tidemark org limits ${name}`;
  return `tidemark org limits ${name} ${l.name}=${l.limit * 2}`;
}
