import { type Viewer, viewer } from "../lib/viewer";
import { dayNumber } from "./days";
import { atWall, type Wall, wall } from "./wall";

export type Date3 = Pick<Wall, "y" | "mo" | "d">;
type WeekInfo = { firstDay: number; minimalDays: number };

/** How weeks are counted in a locale; as ISO 8601 does where a browser cannot say. */
export function weekInfo(locale: string | undefined): WeekInfo {
  const iso = { firstDay: 1, minimalDays: 4 };
  if (!locale) return iso;
  const of = new Intl.Locale(locale) as Intl.Locale & { getWeekInfo?: () => WeekInfo; weekInfo?: WeekInfo };
  const said = of.getWeekInfo?.() ?? of.weekInfo;
  return { firstDay: said?.firstDay ?? 1, minimalDays: said?.minimalDays ?? minimal(said?.firstDay) };
}

/** Weeks that begin on Monday have four days of their year at least, as ISO has it. */
const minimal = (firstDay = 1) => (firstDay === 1 ? 4 : 1);

const numberOf = ({ y, mo, d }: Date3) => dayNumber({ y, m: mo, d });

function dateOf(n: number): Date3 {
  const at = new Date(n * 86_400_000);
  return { y: at.getUTCFullYear(), mo: at.getUTCMonth() + 1, d: at.getUTCDate() };
}

/** A day some days later. */
export const addDays = (day: Date3, by: number): Date3 => dateOf(numberOf(day) + by);

/** The seven days of the week that a day is in. */
export function weekOf(day: Date3, { locale }: Viewer = viewer()): Date3[] {
  const first = weekInfo(locale).firstDay % 7;
  const weekday = new Date(numberOf(day) * 86_400_000).getUTCDay();
  const start = numberOf(day) - ((weekday - first + 7) % 7);
  return Array.from({ length: 7 }, (_, i) => dateOf(start + i));
}

/** The number of a week in its year: the first one has enough days of that year. */
export function weekNumber(week: Date3[], { locale }: Viewer = viewer()): number {
  const { minimalDays } = weekInfo(locale);
  const start = numberOf(week[0] as Date3);
  // The day that decides whose year the week belongs to.
  const { y } = dateOf(start + 7 - minimalDays);
  const january = Date.UTC(y, 0, 1) / 86_400_000;
  const first = weekOf(dateOf(january), { locale, zone: "UTC" })[0] as Date3;
  const own = 7 - (january - numberOf(first)) >= minimalDays ? numberOf(first) : numberOf(first) + 7;
  return (start - own) / 7 + 1;
}

/** When a day begins, or a moment of it, by the clocks of the viewer. */
export const atDay = (day: Date3, secs = 0, { zone }: Viewer = viewer()): number =>
  atWall(day.y, day.mo, day.d, secs, zone);

/** "2026-11-16", for addresses and for days that are left out. */
export const isoDay = ({ y, mo, d }: Date3): string =>
  `${String(y).padStart(4, "0")}-${String(mo).padStart(2, "0")}-${String(d).padStart(2, "0")}`;

export function parseDay(text: string | undefined): Date3 | undefined {
  const [, y, mo, d] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "") ?? [];
  return y ? dateOf(dayNumber({ y: Number(y), m: Number(mo), d: Number(d) })) : undefined;
}

export type Piece<T> = { of: T; from: number; to: number; lane: number; lanes: number };

/**
 * What of some times falls on a day, from and to as parts of it, by the clock
 * on the wall. Those that overlap stand beside each other.
 */
export function piecesOf<T>(all: { of: T; start: number; end: number }[], day: Date3, who: Viewer = viewer()) {
  const begin = atDay(day, 0, who);
  const end = atDay(addDays(day, 1), 0, who);
  const part = (at: number) => (at <= begin ? 0 : at >= end ? 1 : wall(at, who.zone).secs / 86_400);
  const pieces = all
    .filter((o) => o.start < end && o.end > begin)
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map((o): Piece<T> => ({ of: o.of, from: part(o.start), to: part(o.end), lane: 0, lanes: 1 }));
  return inLanes(pieces.filter((p) => p.to > p.from));
}

function inLanes<T>(pieces: Piece<T>[]): Piece<T>[] {
  let group: Piece<T>[] = [];
  let until = 0;
  const close = () => {
    const lanes = Math.max(1, ...group.map((p) => p.lane + 1));
    for (const p of group) p.lanes = lanes;
    group = [];
  };
  for (const p of pieces) {
    if (p.from >= until) close();
    const taken = new Set(group.filter((o) => o.to > p.from).map((o) => o.lane));
    while (taken.has(p.lane)) p.lane++;
    group.push(p);
    until = Math.max(until, p.to);
  }
  close();
  return pieces;
}
