import type { Covers } from "../../api/maintenance";
import type { MaintenanceWrite, Repeat } from "../../api/types.gen";
import type { Occurrence, WindowView } from "../../api/ui.gen";
import { viewer } from "../../lib/viewer";
import { type Weekday, weekdays } from "../../lib/weekdays";
import { wall } from "../../time/wall";
import { isoDay } from "../../time/week";

export type Repeats = "once" | "daily" | "workdays" | "weekly" | "monthly" | "days";

/** Which of the times of a window that repeats a change is about. */
export type Scope = "one" | "later";

/** A window as it is being made or changed. */
export type Draft = {
  /** What is changed, and which of its times was opened. */
  window?: WindowView;
  occurrence?: Occurrence;
  scope: Scope;
  name: string;
  start: number;
  end: number;
  repeats: Repeats;
  days: Weekday[];
  /** Only every so many weeks. */
  weeks: number;
  until: number | null;
  zone: string;
  covers: Covers;
  /** Alerts are not evaluated meanwhile. */
  suspends: boolean;
};

export const quarter = 900;
export const nothing: Covers = { all: false, alerts: [], labels: {}, tags: {} };
const workdays: Weekday[] = ["mon", "tue", "wed", "thu", "fri"];

export const newDraft = (start: number, end: number, covers: Covers = nothing): Draft => ({
  scope: "later",
  name: "",
  start,
  end,
  repeats: "once",
  days: [],
  weeks: 1,
  until: null,
  zone: viewer().zone,
  covers,
  suspends: false,
});

export function draftOf(window: WindowView, occurrence: Occurrence): Draft {
  const { repeat } = window;
  return {
    window,
    occurrence,
    scope: repeat ? "one" : "later",
    name: window.name,
    start: occurrence.start,
    end: occurrence.end,
    repeats: repeat ? kindOf(repeat.days, repeat.weeks ?? 1) : "once",
    days: repeat?.days ?? [],
    weeks: repeat?.weeks ?? 1,
    until: repeat ? window.ends_at : null,
    zone: repeat?.zone ?? viewer().zone,
    covers: window.covers,
    suspends: window.suspends,
  };
}

function kindOf(days: Weekday[], weeks: number): Repeats {
  if (weeks > 1) return days.length === 1 && weeks === 4 ? "monthly" : "days";
  if (days.length === 7) return "daily";
  if (days.length === 1) return "weekly";
  return days.length === 5 && workdays.every((d) => days.includes(d)) ? "workdays" : "days";
}

/** The day of the week on which a time is, by the clocks of a zone. */
export const weekdayOf = (at: number, zone: string): Weekday => weekdays[wall(at, zone).weekday] as Weekday;

export function daysOf({ repeats, days, start, zone }: Draft): Weekday[] {
  if (repeats === "daily") return [...weekdays];
  if (repeats === "workdays") return workdays;
  if (repeats === "weekly" || repeats === "monthly") return [weekdayOf(start, zone)];
  return weekdays.filter((d) => days.includes(d));
}

function timeOfDay(at: number, zone: string): string {
  const minutes = Math.floor(wall(at, zone).secs / 60);
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
}

/** Whether it is saved as one that repeats. */
export const doesRepeat = (d: Draft): boolean => d.repeats !== "once" && !(d.window?.repeat && d.scope === "one");

/** What the API is sent for a draft. */
export function bodyOf(d: Draft): MaintenanceWrite {
  const { covers, suspends } = d;
  const common = { name: d.name.trim(), note: d.window?.note ?? "", starts_at: d.start, covers, suspends };
  if (!doesRepeat(d)) return { ...common, ends_at: d.end, repeat: null };
  const skip = d.window?.repeat?.skip;
  const weeks = d.repeats === "monthly" ? 4 : d.repeats === "days" ? d.weeks : 1;
  const repeat: Repeat = {
    days: daysOf(d),
    start_time: timeOfDay(d.start, d.zone),
    end_time: timeOfDay(d.end, d.zone),
    zone: d.zone,
    ...(skip?.length && { skip }),
    ...(weeks > 1 && { weeks }),
  };
  return { ...common, ends_at: d.until, repeat };
}

/** What is wrong with the times, as a sentence at the end. */
export function endProblem(d: Pick<Draft, "start" | "end"> & { repeats: boolean }): string | undefined {
  if (d.end <= d.start) return "Ends must be after Starts.";
  if (d.repeats && d.end - d.start > 86_400) return "A window that repeats may last a day at most.";
  return undefined;
}

/** How a window that repeats is changed so that one of its times is left out. */
export function without(window: WindowView, o: Occurrence): MaintenanceWrite {
  const repeat = window.repeat as Repeat;
  return { repeat: { ...repeat, skip: [...(repeat.skip ?? []), isoDay(wall(o.start, repeat.zone))] } };
}

/** Whether nothing of a window that repeats comes before one of its times. */
export const isFirst = (window: WindowView, o: Occurrence): boolean => o.start <= window.starts_at;

/** Moved by the clock on the wall, and as long as it was. */
export const moved = (d: Draft, start: number): Draft => ({ ...d, start, end: start + (d.end - d.start) });

export const covers = {
  isEmpty: (c: Covers): boolean =>
    !c.all && c.alerts.length + Object.keys(c.labels).length + Object.keys(c.tags).length === 0,
};
