import type { Version } from "../../../api/ui.gen";
import { summary } from "../../../history/compare";
import type { Names } from "../../../history/words";
import { clock, day, moment, weekday } from "../../../lib/format";

/** A save as the list has it: the last of those that one person made within a few minutes. */
export type Save = {
  version: Version;
  /** All that it stands for, the newest first. */
  all: Version[];
  /** What was there before the first of them. */
  before: Version | undefined;
};

const together = 600;

/** What is looked for again is not hidden behind a newer one. */
const standsOut = (v: Version) => v.actor === "" || v.restored !== undefined || v.name !== undefined;

/** Whether a version belongs to the same save as a newer one. */
const joins = (newest: Version, v: Version): boolean =>
  v.actor === newest.actor && !standsOut(v) && !newest.restored && newest.at - v.at <= together;

function grouped(versions: Version[]): Version[][] {
  const groups: Version[][] = [];
  for (const v of versions) {
    const group = groups.at(-1);
    if (group?.[0] && joins(group[0], v)) group.push(v);
    else groups.push([v]);
  }
  return groups;
}

/**
 * Versions, the newest first, as saves. Where one of those that a save stands
 * for is to be seen itself, each of them is a save of its own.
 */
export function savesOf(versions: Version[], apart: ReadonlySet<number> = new Set()): Save[] {
  const split = (group: Version[]) =>
    group.slice(1).some((v) => apart.has(v.number)) ? group.map((v) => [v]) : [group];
  let next = 0;
  return grouped(versions)
    .flatMap(split)
    .flatMap((all) => {
      next += all.length;
      return all[0] ? [{ version: all[0], all, before: versions[next] }] : [];
    });
}

export type Day = { title: string; date: string; saves: Save[] };

const titleOf = (at: number, now: number): string => {
  if (day(at) === day(now)) return "Today";
  return day(at) === day(now - 86_400) ? "Yesterday" : "Earlier";
};

/** Today's saves, yesterday's, and all others. */
export function byDay(saves: Save[], now = Date.now() / 1000): Day[] {
  const days: Day[] = [];
  for (const s of saves) {
    const { at } = s.version;
    const title = titleOf(at, now);
    if (days.at(-1)?.title !== title) days.push({ title, date: title === "Earlier" ? "" : weekday(at), saves: [] });
    days.at(-1)?.saves.push(s);
  }
  return days;
}

/** When a save was made, below the title of its day: "14:02", "Thu 12 Nov 10:20". */
export const timeOf = (at: number, now = Date.now() / 1000) =>
  titleOf(at, now) === "Earlier" ? moment(at, now) : clock(at);

/** Likewise, anywhere: "today, 14:02", "yesterday, 17:48". */
export function when(at: number, now = Date.now() / 1000): string {
  const title = titleOf(at, now);
  return title === "Earlier" ? moment(at, now) : `${title.toLowerCase()}, ${clock(at)}`;
}

/** "between 11:37 and 14:02", with the days where they are not today. */
export function between(a: number, b: number, now = Date.now() / 1000): string {
  const said = titleOf(a, now) === "Today" && titleOf(b, now) === "Today" ? clock : (at: number) => when(at, now);
  return `between ${said(a)} and ${said(b)}`;
}

/** What a save did. Of the first, how it came to be. */
export const sentence = ({ version, all, before }: Save, names: Names): string =>
  summary("space", before ? version : (all.at(-1) ?? version), before, names);

/** The save that an address names, or the one of which it is a part; the latest if it names none. */
export const chosenOf = (saves: Save[], number: number | undefined): Save | undefined =>
  number === undefined ? saves[0] : saves.find((s) => s.all.some((v) => v.number === number));

/** How many there are and how many are kept: "23, all kept". */
export const keptWords = (n: number, kept: number): string => `${n}, ${kept ? `latest ${kept} kept` : "all kept"}`;
