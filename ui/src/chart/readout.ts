import { clock, count, pointTime, step as stepText, value, weekdayAndClock } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import type { Window } from "../time/range";
import { named } from "./band";
import { valueAt } from "./columns";
import { currentValue, type Line } from "./data";

export type ReadoutRow = { line: Line; value: number; nearest: boolean };
const most = 10;

/** What the floating readout says at one time: highest first, the nearest line bold. */
export function readout(lines: Line[], idx: number, nearest: string | undefined): { rows: ReadoutRow[]; more: number } {
  const rows: ReadoutRow[] = [];
  let hit: ReadoutRow | undefined;
  let all = 0;
  for (const line of lines) {
    const value = valueAt(line.values, idx);
    if (value === null) continue;
    all++;
    const row = { line, value, nearest: line.key === nearest };
    if (row.nearest) hit = row;
    keepHighest(rows, row);
  }
  if (hit && !rows.includes(hit)) rows[most - 1] = hit;
  return { rows, more: all - rows.length };
}

/** Puts a row where it belongs among the highest. Sorting thousands of lines at every move of the mouse takes long. */
function keepHighest(rows: ReadoutRow[], row: ReadoutRow): void {
  if (rows.length === most && row.value <= (rows[most - 1]?.value ?? 0)) return;
  let at = rows.length;
  while (at > 0 && row.value > (rows[at - 1]?.value ?? 0)) at--;
  rows.splice(at, 0, row);
  if (rows.length > most) rows.pop();
}

/** When, and how much time one point stands for. */
export function readoutTitle(at: number, step: number, who: Viewer): [string, string] {
  return [pointTime(at, step, who), stepText(step)];
}

/** The highest point of all lines. */
function highest(lines: Line[]): { line: Line; value: number; idx: number } | undefined {
  let best: { line: Line; value: number; idx: number } | undefined;
  for (const line of lines)
    for (let idx = 0; idx < line.values.length; idx++) {
      const v = line.values[idx];
      if (v != null && (best === undefined || v > best.value)) best = { line, value: v, idx };
    }
  return best;
}

/** One sentence about a chart, for those who do not see it. */
export function sentence(title: string, lines: Line[], range: string, w: Window, who: Viewer): string {
  if (lines.length === 0) return `${title}, no data, ${range.toLowerCase()}`;
  const shown = named(lines);
  // Of a band its median says how many streams there are.
  const n = shown.length < lines.length ? [] : [count(lines.length, "stream", undefined, who)];
  const now = shown.slice(0, 3).flatMap((l) => {
    const last = currentValue(l.values);
    return last === null ? [] : [`${l.label} now ${value(last, l.unit, who)}`];
  });
  const top = highest(lines);
  const when = top && (w.end - w.start > 86_400 ? weekdayAndClock : clock)(w.start + top.idx * w.step, who);
  const peak = top ? [`highest ${value(top.value, top.line.unit, who)} at ${when}`] : [];
  return [title, ...n, range.toLowerCase(), ...now, ...peak].join(", ");
}
