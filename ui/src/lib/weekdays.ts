import { viewer } from "./viewer";

export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
export type Weekday = (typeof weekdays)[number];

/** The week as most calendars have it. */
export const fromMonday: Weekday[] = [...weekdays.slice(1), weekdays[0]];

/** The name of a day of the week, in the viewer's language. 4 January 1970 was a Sunday. */
export const dayName = (d: Weekday, weekday: "long" | "short" = "long"): string =>
  new Intl.DateTimeFormat(viewer().locale, { timeZone: "UTC", weekday }).format(
    Date.UTC(1970, 0, 4 + weekdays.indexOf(d)),
  );
