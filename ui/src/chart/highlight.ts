import type uPlot from "uplot";
import { isOneOfMany } from "./band";
import { nearest, reading } from "./crosshair";
import type { Shape } from "./options";
import { colorOf, hoverPaint } from "./palette";

const reach = 30;

/**
 * Of too many grey lines the one under the pointer, or chosen in the legend,
 * is coloured: on a canvas of its own over the plot, so that the canvas of the
 * series is not drawn again while a pointer moves.
 */
export function followPointer(u: uPlot, shape: Shape): void {
  const canvas = document.createElement("canvas");
  canvas.style.cssText = "position:absolute;inset:0;width:100%;height:100%;pointer-events:none";
  u.over.append(canvas);
  let chosen = -1;
  let shown = -1;
  const show = (at: number) => {
    if (at === shown) return;
    shown = at;
    drawOne(u, canvas, at, shape);
  };
  const follow = () => {
    const idx = reading.has(u) && (u.cursor.left ?? -1) >= 0 ? u.cursor.idx : null;
    const { at, distance } = idx == null ? { at: -1, distance: 0 } : nearest(u, idx, shape.lines);
    show(distance < reach && isOneOfMany(shape.lines[at]) ? at : chosen);
  };
  const on = (hook: keyof uPlot.Hooks.Arrays, run: (...given: never[]) => void) => {
    u.hooks[hook] = [...(u.hooks[hook] ?? []), run] as never;
  };
  on("setCursor", follow);
  on("draw", () => {
    shown = -2; // what was coloured lies elsewhere now
    follow();
  });
  on("setSeries", (_u: uPlot, series: number | null) => {
    chosen = series !== null && isOneOfMany(shape.lines[series - 1]) ? series - 1 : -1;
    follow();
  });
}

function drawOne(u: uPlot, canvas: HTMLCanvasElement, at: number, shape: Shape): void {
  const ratio = devicePixelRatio;
  const { width, height } = u.bbox;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const ctx = canvas.getContext("2d");
  ctx?.clearRect(0, 0, width, height);
  const ys = u.data[at + 1];
  if (at < 0 || !ctx || !ys) return;
  ctx.strokeStyle = colorOf(hoverPaint(at), shape.scheme);
  ctx.lineWidth = 1.6 * ratio;
  ctx.lineJoin = "round";
  const scale = shape.lines[at]?.axis === 1 ? "y2" : "y";
  let pen = false;
  ctx.beginPath();
  for (let i = 0; i < ys.length; i++) {
    const v = ys[i];
    if (v === null) pen = false;
    if (v == null) continue;
    const [x, y] = [u.valToPos(u.data[0][i] ?? 0, "x") * ratio, u.valToPos(v, scale) * ratio];
    if (pen) ctx.lineTo(x, y);
    else ctx.moveTo(x, y);
    pen = true;
  }
  ctx.stroke();
}
