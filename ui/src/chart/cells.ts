import { csv } from "../lib/text";
import type { Window } from "../time/range";
import { type Line, times } from "./data";
import type { Past } from "./past";

export type Column = Pick<Line, "key" | "label" | "mono" | "unit" | "values">;
type Then = Pick<Past, "lines" | "by" | "than"> & { loaded: { window: Window } };

/** The lines of a table, each followed by what it was and by how much more it is. */
export function withPast(lines: Column[], w: Window, past: Then | undefined): Column[] {
  if (!past) return lines;
  const then = new Map(past.lines.map((l) => [l.key, l.values]));
  const { start, step } = past.loaded.window;
  const places = times(w).map((t) => Math.floor((t - past.by - start) / step));
  return lines.flatMap((l) => {
    const was = places.map((at) => then.get(l.key)?.[at] ?? null);
    const more = was.map((v, i) => (v === null || l.values[i] == null ? null : l.values[i] - v));
    return [
      l,
      { ...l, key: `${l.key} was`, label: `${l.label}, ${past.than}`, values: was },
      { ...l, key: `${l.key} differs`, label: `${l.label}, difference`, values: more },
    ];
  });
}

/** A file of columns, a row for each time. */
export function csvOf(columns: Column[], w: Window): string {
  const rows = times(w).map((t, i) => [new Date(t * 1000).toISOString(), ...columns.map((c) => c.values[i] ?? null)]);
  return csv([["time", ...columns.map((c) => c.label)], ...rows]);
}
