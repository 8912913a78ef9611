import type uPlot from "uplot";
import type { Band, ChartKind, Threshold } from "../api/types";
import { axisRange } from "../chart/axis";
import { columns } from "../chart/columns";
import type { Cell, Line } from "../chart/data";
import { colorOf, frame, withAlpha } from "../chart/palette";
import type { Past } from "../chart/past";
import { pastLevel } from "../chart/pastLevel";
import type { Level } from "../chart/plot";
import { extremes } from "../lib/extremes";
import type { Window } from "../time/range";
import { tint } from "./limits";
import { withLimits } from "./valueAxis";

type Given = {
  kind: ChartKind;
  thresholds: Threshold[] | null | undefined;
  bands: Band[] | null | undefined;
  lines: Line[];
  window: Window | undefined;
  past: Past | undefined;
  incomplete: boolean;
};

/** What is drawn beside lines: bars, tinted bands, thresholds, and the past. */
export function levelOf({ kind, thresholds, bands, lines, window: w, past, incomplete }: Given): Level | undefined {
  const limits = limitLevel(thresholds ?? [], bands ?? []);
  if (kind === "bar") return w && barLevel(lines, w, past, incomplete, limits);
  return past ? pastLevel(past, kind === "stacked" ? "stacked" : "line", limits) : limits;
}

function limitLevel(thresholds: Threshold[], bands: Band[]): Level {
  const values = thresholds.map((t) => t.value).filter(Number.isFinite);
  return {
    range: (lo, hi, left) =>
      lo === null || hi === null ? axisRange(lo, hi, left) : axisRange(...withLimits(values, lo, hi), left),
    draw: (u, part, scheme) => {
      const { ctx, bbox } = u;
      ctx.save();
      ctx.beginPath();
      ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
      ctx.clip();
      if (part === "under") for (const b of bands) wash(u, b, withAlpha(tint(b.type, scheme), 0.1));
      else for (const t of thresholds) limit(u, t.value, tint(t.type, scheme));
      ctx.restore();
    },
  };
}

function wash(u: uPlot, { from, to }: Band, color: string): void {
  const [top, bottom] = [u.valToPos(to, "y", true), u.valToPos(from, "y", true)];
  u.ctx.fillStyle = color;
  u.ctx.fillRect(u.bbox.left, top, u.bbox.width, bottom - top);
}

function limit({ ctx, bbox, valToPos }: uPlot, value: number, color: string): void {
  const y = valToPos(value, "y", true);
  ctx.strokeStyle = color;
  ctx.lineWidth = 1.25 * devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
}

/** How much of its time a bar takes. */
const filled = 0.72;

/** Bars on top of each other, the newest at half strength while it is being filled; a tick is what there was before. */
function barLevel(lines: Line[], w: Window, past: Past | undefined, incomplete: boolean, limits: Level): Level {
  const [xs, ...tops] = columns(lines, w, true, false);
  const before = past && columns(past.lines, past.loaded.window, true, false).at(-1);
  const highest = Math.max(0, extremes([(before as Cell[] | undefined) ?? []])?.[1] ?? 0);
  return {
    range: (lo, hi, left) => limits.range(lo, before ? Math.max(hi ?? highest, highest) : hi, left),
    draw: (u, part, scheme) => {
      limits.draw(u, part, scheme);
      if (part === "over") return;
      const bar = (i: number) => barBox(u, xs[i] ?? 0, w.step);
      for (let n = tops.length - 1; n >= 0; n--)
        for (let i = 0; i < xs.length; i++) {
          const [top, under] = [tops[n]?.[i], tops[n - 1]?.[i] ?? 0];
          if (top == null) continue;
          const color = colorOf(lines[n]?.paint ?? { slot: 0 }, scheme);
          u.ctx.fillStyle = incomplete && i === xs.length - 1 ? withAlpha(color, 0.5) : color;
          const [from, to] = [u.valToPos(under, "y", true), u.valToPos(top, "y", true)];
          u.ctx.fillRect(bar(i).left, Math.min(from, to), bar(i).width, Math.abs(from - to));
        }
      if (past && before) ticks(u, past, before as Cell[], frame[scheme].text);
    },
  };
}

function barBox(u: uPlot, at: number, step: number): { left: number; width: number } {
  const [from, to] = [u.valToPos(at, "x", true), u.valToPos(at + step, "x", true)];
  const width = Math.max(1, (to - from) * filled);
  return { left: from + (to - from - width) / 2, width };
}

function ticks(u: uPlot, past: Past, values: Cell[], color: string): void {
  const { start, step } = past.loaded.window;
  u.ctx.fillStyle = color;
  for (const [i, v] of values.entries()) {
    if (v == null) continue;
    const { left, width } = barBox(u, start + i * step + past.by, step);
    u.ctx.fillRect(left, u.valToPos(v, "y", true) - devicePixelRatio, width, 2 * devicePixelRatio);
  }
}
