import { clock, count, value, weekdayAndClock } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import type { Window } from "../time/range";
import { named } from "./band";
import { currentValue, type Line } from "./data";

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
