import type uPlot from "uplot";
import { axisRange } from "./axis";
import { frame } from "./palette";
import type { Level } from "./plot";

/** A value with the side that is bad; at are the times at which it was crossed. */
export type Threshold = { value: number; side: "above" | "below"; solid: boolean; at?: number[] | undefined };

const reds = { light: "192, 57, 43", dark: "255, 138, 122" };

/** Draws the wash under the lines and the threshold over them, and says how far the axis goes. */
export function thresholdLevel(t: Threshold, drawn: (lo: number, hi: number) => void): Level {
  return {
    // A threshold that no value reaches belongs to the axis all the same.
    range: (lo, hi, left) => axisRange(Math.min(lo ?? t.value, t.value), Math.max(hi ?? t.value, t.value), left),
    draw: (u, part, scheme) => {
      const { ctx, bbox } = u;
      const y = Math.min(Math.max(u.valToPos(t.value, "y", true), bbox.top), bbox.top + bbox.height);
      ctx.save();
      if (part === "under" && t.solid) wash(u, t.side, y, `rgba(${reds[scheme]}, 0.06)`);
      if (part === "over") line(u, t, y, `rgb(${reds[scheme]})`, frame[scheme].panel);
      ctx.restore();
      if (part === "over") drawn(u.scales.y?.min ?? 0, u.scales.y?.max ?? 1);
    },
  };
}

function wash({ ctx, bbox }: uPlot, side: Threshold["side"], y: number, color: string): void {
  ctx.fillStyle = color;
  const top = side === "above" ? bbox.top : y;
  ctx.fillRect(bbox.left, top, bbox.width, side === "above" ? y - bbox.top : bbox.top + bbox.height - y);
}

function line(u: uPlot, t: Threshold, y: number, color: string, panel: string): void {
  const { ctx, bbox } = u;
  ctx.strokeStyle = color;
  ctx.lineWidth = (t.solid ? 1.75 : 1.25) * devicePixelRatio;
  // The line before may have been a dashed one.
  ctx.setLineDash(t.solid ? [] : [5 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.fillStyle = color;
  ctx.strokeStyle = panel;
  for (const at of t.at ?? []) dot(ctx, u.valToPos(at, "x", true), y);
}

/** Where a firing begins, on the line that it crossed. */
function dot(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.arc(x, y, 4.5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}
