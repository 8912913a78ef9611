import { colorOf, frame, palette, type Scheme, withAlpha } from "../chart/palette";
import type { Size } from "../chart/useSize";
import type { Percentile, Spread } from "./distribution";
import { type Heat, strength } from "./heatmap";
import { type HeatLimits, tint } from "./limits";

type Canvas = { ctx: CanvasRenderingContext2D; width: number; height: number; ratio: number };

/** Draws the cells of a heatmap among its limits, and of a distribution the percentiles over them. */
export function drawHeat(
  el: HTMLCanvasElement,
  heat: Heat,
  limits: HeatLimits,
  columns: number,
  size: Size,
  scheme: Scheme,
  ticks: number[],
) {
  const ratio = devicePixelRatio;
  el.width = size.width * ratio;
  el.height = size.height * ratio;
  const ctx = el.getContext("2d");
  if (!ctx) return;
  const on: Canvas = { ctx, width: el.width, height: el.height, ratio };
  const { spread } = heat;
  drawTints(on, limits, scheme);
  if (spread) drawGrid(on, ticks.map(spread.axis.at), frame[scheme].grid);
  if (!spread || spread.cells) drawCells(on, heat, limits, columns, scheme);
  if (spread?.lines) for (const p of spread.percentiles) drawPercentile(on, p, spread, columns, scheme);
  for (const l of limits.lines) drawLimit(on, l.at, tint(l.type, scheme), frame[scheme].panel);
}

function drawTints({ ctx, width, height }: Canvas, { tints }: HeatLimits, scheme: Scheme): void {
  for (const { from, to, type } of tints) {
    ctx.fillStyle = withAlpha(tint(type, scheme), 0.1);
    ctx.fillRect(0, from * height, width, (to - from) * height);
  }
}

/** Dashes with an edge in the colour of the panel: they are to be seen on cells of any strength. */
function drawLimit({ ctx, width, height, ratio }: Canvas, at: number, color: string, panel: string): void {
  const y = Math.min(height - ratio, Math.max(ratio, at * height));
  ctx.save();
  ctx.lineCap = "butt";
  for (const [wide, stroke, dash] of [[4, withAlpha(panel, 0.8), []] as const, [1.75, color, [5, 4]] as const]) {
    ctx.lineWidth = wide * ratio;
    ctx.strokeStyle = stroke;
    ctx.setLineDash(dash.map((d) => d * ratio));
    ctx.beginPath();
    ctx.moveTo(0, y);
    ctx.lineTo(width, y);
    ctx.stroke();
  }
  ctx.restore();
}

function drawGrid({ ctx, width, height, ratio }: Canvas, at: number[], color: string): void {
  ctx.fillStyle = color;
  for (const y of at) ctx.fillRect(0, Math.min(height - ratio, Math.round((1 - y) * height)), width, ratio);
}

function drawCells(on: Canvas, heat: Heat, { tone }: HeatLimits, columns: number, scheme: Scheme): void {
  const { ctx, width, height, ratio } = on;
  const own = palette[0]?.[scheme] ?? "";
  const cw = width / columns;
  const rows = heat.rows.map((row) => ({
    ...row,
    y: Math.floor(row.from * height),
    end: Math.floor(row.to * height),
  }));
  // Hairlines between cells, where there is room for them; rows at the ends of an axis may be cut.
  const usual = rows.map((r) => r.end - r.y).sort((a, b) => a - b)[Math.floor(rows.length / 2)] ?? 0;
  const gap = Math.min(cw, usual) > 5 * ratio ? ratio : 0;
  for (const { cells, y, end } of rows)
    for (let c = 0; c < columns; c++) {
      const v = cells[c];
      if (v == null) continue;
      const hit = tone(v);
      ctx.fillStyle = withAlpha(hit ? tint(hit, scheme) : own, strength(v, heat));
      const x = Math.floor(c * cw);
      ctx.fillRect(x, y, Math.max(1, Math.floor((c + 1) * cw) - x - gap), Math.max(1, end - y - gap));
    }
}

/** A line from step to step, in the middle of each; one that stands alone is a dot. */
function trace({ ctx, width, height }: Canvas, { values }: Percentile, { axis }: Spread, columns: number): void {
  ctx.beginPath();
  let begun = false;
  for (const [i, v] of values.entries()) {
    if (v === null) begun = false;
    if (v == null) continue;
    const [x, y] = [((i + 0.5) * width) / columns, (1 - axis.at(v)) * height];
    if (!begun) ctx.moveTo(x, y);
    ctx.lineTo(x, y);
    begun = true;
  }
}

/** The line, with an edge in the colour of the panel: it is to be seen on cells of any strength. */
function drawPercentile(on: Canvas, p: Percentile, spread: Spread, columns: number, scheme: Scheme): void {
  const { ctx, ratio } = on;
  ctx.lineJoin = ctx.lineCap = "round";
  trace(on, p, spread, columns);
  const edge = spread.cells ? [[4.5, withAlpha(frame[scheme].panel, 0.8)] as const] : [];
  for (const [wide, color] of [...edge, [2, colorOf(p.paint, scheme)] as const]) {
    ctx.lineWidth = wide * ratio;
    ctx.strokeStyle = color;
    ctx.stroke();
  }
}
