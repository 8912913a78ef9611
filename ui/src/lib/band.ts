import type { Condition } from "../api/types";
import type { Backtest } from "../api/types.gen";
import { type Interval, lasting } from "./backtest";
import { chosen } from "./format";

export type Expected = NonNullable<Backtest["conditions"][number]["expected"]>;
type Incident = Backtest["incidents"][number];

/** How wide a band may be made by hand, in usual spreads. */
export const narrowest = 0.1;
export const widest = 100;

const isBelow = (c: Pick<Condition, "type" | "against">) => c.type === "below" && !c.against?.both;

/** How far from the usual value a band reaches at one of its points. */
const widthAt = (e: Expected, i: number, spreads: number, least: number) =>
  Math.max(least, spreads * (e.spread?.[i] ?? 0));

/** The band with another width, as the server would draw it. */
export function widened(e: Expected, spreads: number, least: number): Expected {
  return {
    ...e,
    low: e.usual.map((v, i) => v - widthAt(e, i, spreads, least)),
    high: e.usual.map((v, i) => v + widthAt(e, i, spreads, least)),
  };
}

/** Where the edges of a band are taken hold of: at the last point before a time that has a spread. */
export function edgeOf(e: Expected | undefined, c: Condition, until: number) {
  const i = e?.spread?.findLastIndex((s, at) => s > 0 && (e.times[at] ?? 0) < until) ?? -1;
  const [usual, spread] = [e?.usual[i], e?.spread?.[i]];
  if (!e || usual === undefined || !spread) return undefined;
  const sides = c.against?.both ? ([1, -1] as const) : ([isBelow(c) ? -1 : 1] as const);
  return {
    sides,
    at: (side: 1 | -1, spreads: number) => usual + side * widthAt(e, i, spreads, c.against?.least ?? 0),
    read: (side: 1 | -1, onAxis: number) => (side * (onAxis - usual)) / spread,
  };
}

/** When one line is outside the band for as long as the condition asks, seen from the points of a chart alone. */
export function outside(
  values: readonly (number | null | undefined)[],
  w: { start: number; step: number },
  c: Condition,
  e: Expected,
  spreads: number,
): Interval[] {
  const least = c.against?.least ?? 0;
  let i = -1;
  return lasting([{ values }], w, c.duration ?? 0, (v, at) => {
    while (i + 1 < e.times.length && (e.times[i + 1] ?? 0) <= at) i++;
    const usual = e.usual[i];
    if (usual === undefined) return false;
    const far = isBelow(c) ? usual - v : c.against?.both ? Math.abs(v - usual) : v - usual;
    return far > widthAt(e, i, spreads, least);
  });
}

/** "incident of payments.success.low and 2 others" */
export function knownAs(i: Pick<Incident, "known_as">): string {
  const k = i.known_as;
  if (!k) return "no alert saw it";
  const more = k.others === 0 ? "" : k.others === 1 ? " and 1 other" : ` and ${k.others} others`;
  return `incident of ${k.alert_name}${more}`;
}

/** What the readings that leave a band are called: those of the side that counts. */
export const furthest = (c: Pick<Condition, "type" | "against">): string =>
  c.against?.both ? "Furthest" : isBelow(c) ? "Lowest" : "Highest";

export const bandText = (spreads: number): string => chosen(spreads, "spreads");
