import type { Event } from "../api/types";
import { day, weekday } from "./format";
import { type Viewer, viewer } from "./viewer";

export type Day = { title: string; events: Event[] };

/** Events by day, newest first, as people name the days. */
export function byDay(events: Event[], now = Date.now() / 1000, who: Viewer = viewer()): Day[] {
  const days: Day[] = [];
  let key = "";
  for (const e of [...events].sort((a, b) => b.start_time - a.start_time || b.id - a.id)) {
    const k = day(e.start_time, who);
    if (k !== key) {
      days.push({ title: dayTitle(e.start_time, now, who), events: [] });
      key = k;
    }
    days[days.length - 1]?.events.push(e);
  }
  return days;
}

function dayTitle(at: number, now: number, who: Viewer): string {
  const k = day(at, who);
  if (k === day(now, who)) return "Today";
  if (k === day(now - 86_400, who)) return "Yesterday";
  return now - at < 300 * 86_400 ? weekday(at, who) : k;
}

/** Whether an event has all the words, in any of its texts. */
export function matches(e: Event, q: string): boolean {
  const text = [e.title, e.description ?? "", e.source ?? ""].join(" ").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
