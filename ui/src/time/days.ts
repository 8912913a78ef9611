import { atWall } from "./wall";

/** Days are counted as UTC midnights; no zone takes part. */
export type Day = { y: number; m: number; d: number };

export const dayNumber = ({ y, m, d }: Day) => Date.UTC(y, m - 1, d) / 86_400_000;

/** The weeks of a month, Monday first, with nothing where other months are. */
export function weeks(y: number, m: number): (Day | null)[][] {
  const first = new Date(Date.UTC(y, m - 1, 1));
  const lead = (first.getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(y, m, 0)).getUTCDate();
  const cells: (Day | null)[] = [
    ...new Array<null>(lead).fill(null),
    ...Array.from({ length }, (_, i) => ({ y, m, d: i + 1 })),
  ];
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, i) => cells.slice(i * 7, i * 7 + 7));
}

export function addMonths(y: number, m: number, by: number): { y: number; m: number } {
  const date = new Date(Date.UTC(y, m - 1 + by, 1));
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1 };
}

/** The day that a time falls on in a zone. */
export function dayIn(at: number, zone: string): Day {
  const [y = 0, m = 1, d = 1] = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  })
    .format(at * 1000)
    .split("-")
    .map(Number);
  return { y, m, d };
}

/**
 * The first and the last minute of a day in a zone. The last one is before the
 * next day, not at 23:59: where the clock goes back at midnight that comes twice.
 */
export function endsOf({ y, m, d }: Day, zone: string): [first: number, last: number] {
  return [atWall(y, m, d, 0, zone), atWall(y, m, d + 1, 0, zone) - 60];
}
