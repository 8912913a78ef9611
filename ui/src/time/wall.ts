/** What a clock on the wall shows: the month counts from 1, the weekday from Sunday as 0. */
export type Wall = { y: number; mo: number; d: number; weekday: number; secs: number };

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let f = clocks.get(zone);
  if (!f) {
    f = new Intl.DateTimeFormat("en-CA", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
    clocks.set(zone, f);
  }
  return f;
}

/** What the clock on the wall shows in a zone at a time. */
export function wall(at: number, zone: string): Wall {
  const shown: Record<string, number> = {};
  for (const p of clockOf(zone).formatToParts(at * 1000)) shown[p.type] = Number(p.value);
  const { year: y = 0, month: mo = 1, day: d = 1, hour = 0, minute = 0, second = 0 } = shown;
  return { y, mo, d, weekday: new Date(Date.UTC(y, mo - 1, d)).getUTCDay(), secs: hour * 3600 + minute * 60 + second };
}

function offset(at: number, zone: string): number {
  const w = wall(at, zone);
  return Date.UTC(w.y, w.mo - 1, w.d) / 1000 + w.secs - Math.floor(at);
}

/**
 * The time at which the clock in a zone shows this. Days may overflow, as in
 * Date.UTC. What the clock shows twice is the first of both; what it leaves out
 * is as much later as it was put forward.
 */
export function atWall(y: number, mo: number, d: number, secs: number, zone: string): number {
  const naive = Date.UTC(y, mo - 1, d) / 1000 + secs;
  const before = offset(naive - 86400, zone);
  const after = offset(naive + 86400, zone);
  const first = naive - Math.max(before, after);
  const second = naive - Math.min(before, after);
  if (naive - offset(first, zone) === first) return first;
  if (naive - offset(second, zone) === second) return second;
  return naive - before;
}

/** Whether a calendar has this day. */
export function isDay(y: number, mo: number, d: number): boolean {
  const date = new Date(Date.UTC(y, mo - 1, d));
  return date.getUTCFullYear() === y && date.getUTCMonth() === mo - 1 && date.getUTCDate() === d;
}
