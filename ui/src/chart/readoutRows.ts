import { pointTime, step as stepText } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import { valueAt } from "./columns";
import type { Line } from "./data";

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
    const isNearest = line.key === nearest;
    if (!isNearest && !isAmong(rows, value)) continue;
    const row = { line, value, nearest: isNearest };
    if (isNearest) hit = row;
    if (isAmong(rows, value)) keep(rows, row);
  }
  if (hit && !rows.includes(hit)) rows[most - 1] = hit;
  return { rows, more: all - rows.length };
}

/** Whether a value is among the highest. Of thousands of lines few are, at every move of the mouse: nothing is made for the others. */
const isAmong = (rows: ReadoutRow[], value: number) => rows.length < most || value > (rows[most - 1]?.value ?? 0);

/** Puts a row where it belongs among the highest. */
function keep(rows: ReadoutRow[], row: ReadoutRow): void {
  let at = rows.length;
  while (at > 0 && row.value > (rows[at - 1]?.value ?? 0)) at--;
  rows.splice(at, 0, row);
  if (rows.length > most) rows.pop();
}

/** When, and how much time one point stands for. */
export function readoutTitle(at: number, step: number, who: Viewer): [string, string] {
  return [pointTime(at, step, who), stepText(step)];
}
