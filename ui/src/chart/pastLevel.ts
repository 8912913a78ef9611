import type uPlot from "uplot";
import type { ChartDraft } from "../api/types";
import { extremes } from "../lib/extremes";
import { axisRange } from "./axis";
import { columns } from "./columns";
import type { Line } from "./data";
import { colorOf, frame, type Scheme, withAlpha } from "./palette";
import type { Past } from "./past";
import type { Level } from "./plot";

const faint = 0.38;
const dash = [4, 3];

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
