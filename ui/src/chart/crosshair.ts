import type uPlot from "uplot";
import { readAt } from "./columns";
import type { Line } from "./data";

/** Who reads a plot right now, and by what. Only that one has the floating readout. */
export const reading = new WeakMap<uPlot, "mouse" | "touch" | "keys">();

/** Moves the crosshair here and in all charts of the page; outside of the plot hides it. */
export function point(u: uPlot, left: number, top: number): void {
  // The third argument, publish, is missing in uPlot's types.
  (u.setCursor as (at: { left: number; top: number }, fire: boolean, publish: boolean) => void)(
    { left, top },
    true,
    true,
  );
}

/** The line that is closest to the pointer at a time: its index, and how many pixels away it is. */
export function nearest(u: uPlot, idx: number, lines: Line[]): { at: number; distance: number } {
  const y = u.cursor.top ?? 0;
  let best = { at: -1, distance: Number.POSITIVE_INFINITY };
  // Thousands of lines at every move of the mouse: nothing is made for one that is not nearer.
  for (let at = 0; at < lines.length; at++) {
    const ys = u.data[at + 1] ?? [];
    const v = ys[readAt(ys, idx)];
    if (v == null) continue;
    const distance = Math.abs(u.valToPos(v, lines[at]?.axis === 1 ? "y2" : "y") - y);
    if (distance < best.distance) best = { at, distance };
  }
  return best;
}
