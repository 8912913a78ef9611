import type { Report, ReportUpdate, Schedule } from "../../../api/ui.gen";
import { viewer } from "../../../lib/viewer";
import { dayName, type Weekday } from "../../../lib/weekdays";
import { rangeName } from "../ranges";

/** A report as the form has it. */
export type Draft = {
  name: string;
  every: "day" | "week" | "month";
  weekday: Weekday;
  day: number;
  time: string;
  zone: string;
  range: string;
  services: number[];
};

export const emptyDraft = (): Draft => ({
  name: "",
  every: "day",
  weekday: "mon",
  day: 1,
  time: "09:00",
  zone: viewer().zone,
  range: "-24h",
  services: [],
});

/** The form of a report. Services that are gone are left out of it. */
export const draftOf = (r: Report, kept: (ids: number[]) => number[]): Draft => ({
  name: r.name,
  every: r.schedule.every as Draft["every"],
  weekday: (r.schedule.weekday || "mon") as Weekday,
  day: r.schedule.day || 1,
  time: r.schedule.time,
  zone: r.schedule.zone,
  range: r.range || "-6h",
  services: kept(r.services),
});

export function updateOf(d: Draft): ReportUpdate {
  const schedule: Schedule = { every: d.every, time: d.time, zone: d.zone.trim() };
  if (d.every === "week") schedule.weekday = d.weekday;
  if (d.every === "month") schedule.day = d.day;
  return { name: d.name.trim(), schedule, range: d.range, services: d.services };
}

/** "every Monday at 09:00", and by which clocks where they are not the viewer's. */
export function scheduleWords(s: Schedule, { zone } = viewer()): string {
  const days: Record<string, string> = {
    day: "every day",
    week: `every ${dayName((s.weekday || "mon") as Weekday)}`,
    month: s.day === 31 ? "on the last day of every month" : `on day ${s.day} of every month`,
  };
  return `${days[s.every] ?? s.every} at ${s.time}${s.zone === zone ? "" : ` (${s.zone})`}`;
}

/** "Last 24 hours, every day at 09:00" */
export const reportWords = (r: Pick<Report, "range" | "schedule">): string =>
  `${rangeName(r.range || "-6h")}, ${scheduleWords(r.schedule)}`;
