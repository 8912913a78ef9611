import { step as stepText, value, weekdayAndClock } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import type { Line } from "./data";

export type ReadoutRow = { line: Line; value: number; nearest: boolean };
const most = 10;

/** What the floating readout says at one time: highest first, the nearest line bold. */
export function readout(lines: Line[], idx: number, nearest: string | undefined): { rows: ReadoutRow[]; more: number } {
  const all: ReadoutRow[] = [];
  for (const line of lines) {
    const v = line.values[idx];
    if (v != null) all.push({ line, value: v, nearest: line.key === nearest });
  }
  all.sort((a, b) => b.value - a.value);
  const rows = all.slice(0, most);
  const hit = all.find((r) => r.nearest);
  if (hit && !rows.includes(hit)) rows[most - 1] = hit;
  return { rows, more: all.length - rows.length };
}

export const readoutTitle = (at: number, step: number, who: Viewer) => `${weekdayAndClock(at, who)}|${stepText(step)}`;

/** One sentence about a chart, for those who do not see it. */
export function sentence(title: string, lines: Line[], range: string, who: Viewer): string {
  if (lines.length === 0) return `${title}, no data, ${range.toLowerCase()}`;
  const now = lines
    .slice(0, 3)
    .flatMap((l) => {
      const last = l.values.findLast((v) => v != null);
      return last == null ? [] : [`${l.label} now ${value(last, l.unit, who)}`];
    })
    .join(", ");
  const n = lines.length === 1 ? "1 stream" : `${lines.length} streams`;
  return `${title}, ${n}, ${range.toLowerCase()}${now ? `, ${now}` : ""}`;
}
