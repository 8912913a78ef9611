import type { Earlier } from "../api/past";
import { signed } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import { valueAt } from "./columns";
import { currentValue, type Line } from "./data";

/** What lines were at another time: the same lines. */
export type Past = Earlier & { lines: Line[] };

/** The value that a line had, by seconds before a time. */
export function pastValue(past: Past, key: string, time: number): number | null {
  const line = past.lines.find((l) => l.key === key);
  const { start, step } = past.loaded.window;
  const at = Math.floor((time - past.by - start) / step);
  return line && at >= 0 && at < line.values.length ? valueAt(line.values, at) : null;
}

/**
 * The value that a line had at the end of its time: the last there is. The past
 * moves on by the minute and so ends a little before the place of now, where
 * there is nothing to read.
 */
export const pastCurrent = (past: Past, key: string, incomplete: boolean): number | null =>
  currentValue(past.lines.find((l) => l.key === key)?.values ?? [], incomplete);

/** How many percent more it is than it was; nothing where that cannot be said. */
export const change = (now: number | null, was: number | null): number | null =>
  now === null || was === null || was === 0 ? null : (100 * (now - was)) / Math.abs(was);

/** "+12 %", as exactly as one wants to know it. */
export function percentWords(percent: number | null, who: Viewer): string {
  if (percent === null) return "";
  return signed(Math.abs(percent) < 10 ? Math.round(10 * percent) / 10 : Math.round(percent), "%", who);
}

/** "+12 %": how much more it is than it was; nothing where it is the same, or that cannot be said. */
export function difference(now: number | null, was: number | null, who: Viewer): string {
  const percent = change(now, was);
  return percent !== null && Math.abs(percent) < 0.05 ? "" : percentWords(percent, who);
}

/** How many percent more each line is now, by its key. */
export function changes(lines: Line[], past: Past, incomplete: boolean): Map<string, number | null> {
  const then = new Map(past.lines.map((l) => [l.key, currentValue(l.values, incomplete)]));
  return new Map(lines.map((l) => [l.key, change(currentValue(l.values, incomplete), then.get(l.key) ?? null)]));
}
