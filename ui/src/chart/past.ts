import type uPlot from "uplot";
import type { Earlier } from "../api/past";
import type { ChartDraft } from "../api/types";
import { extremes } from "../lib/extremes";
import { signed } from "../lib/format";
import type { Viewer } from "../lib/viewer";
import { axisRange } from "./axis";
import { columns, valueAt } from "./columns";
import { currentValue, type Line } from "./data";
import { colorOf, frame, type Scheme, withAlpha } from "./palette";
import type { Level } from "./plot";

/** What lines were at another time: the same lines. */
export type Past = Earlier & { lines: Line[] };

const faint = 0.38;
const dash = [4, 3];

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

/** The lines of the past as they are drawn: of a stack only its top. */
function drawnOf(past: Past, kind: ChartDraft["type"]): { line: Line | undefined; values: Line["values"] }[] {
  if (kind !== "stacked") return past.lines.map((line) => ({ line, values: line.values }));
  const top = columns(past.lines, past.loaded.window, true, false).at(-1);
  return past.lines.length && top ? [{ line: undefined, values: top as Line["values"] }] : [];
}

/** The lowest and the highest value of the past on the left axis. */
const reachOf = (all: ReturnType<typeof drawnOf>): [number, number] | undefined =>
  extremes(all.flatMap(({ line, values }) => (line?.axis === 1 ? [] : [values])));

/** Draws the past under the lines, faint and dashed, and makes room for it; over says what else the axis has room for and what is drawn with it. */
export function pastLevel(past: Past, kind: ChartDraft["type"], over?: Level): Level {
  const all = drawnOf(past, kind);
  const reach = reachOf(all);
  const range = over?.range ?? axisRange;
  return {
    range: (lo, hi, bounds) =>
      reach
        ? range(Math.min(lo ?? reach[0], reach[0]), Math.max(hi ?? reach[1], reach[1]), bounds)
        : range(lo, hi, bounds),
    draw: (u, part, scheme) => {
      over?.draw(u, part, scheme);
      if (part === "under") for (const one of all) drawPast(u, past, one.values, one.line, scheme);
    },
  };
}

function drawPast(u: uPlot, past: Past, values: Line["values"], line: Line | undefined, scheme: Scheme): void {
  const { ctx } = u;
  const { start, step } = past.loaded.window;
  const scale = line?.axis === 1 ? "y2" : "y";
  ctx.save();
  ctx.beginPath();
  ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
  ctx.clip();
  ctx.strokeStyle = line ? withAlpha(colorOf(line.paint, scheme), faint) : frame[scheme].text;
  ctx.lineWidth = 1.6 * devicePixelRatio;
  ctx.setLineDash(dash.map((d) => d * devicePixelRatio));
  ctx.beginPath();
  let pen = false;
  for (const [i, v] of values.entries()) {
    if (v === null) pen = false;
    if (v == null) continue;
    const [x, y] = [u.valToPos(start + i * step + past.by, "x", true), u.valToPos(v, scale, true)];
    if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
  }
  ctx.stroke();
  ctx.restore();
}
