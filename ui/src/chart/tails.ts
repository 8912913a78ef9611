import type uPlot from "uplot";
import type { Line } from "./data";
import type { Shape } from "./options";
import { colorOf, fillOf, withAlpha } from "./palette";

type At = { x: number; y: number };
/** The last step of a line: where it leaves off, and where the bucket that is being filled is so far. */
type Tail = { line: Line; from: At; to: At };

/** The newest bucket is not full yet: dashed, at half strength. */
export function drawTails(u: uPlot, lines: Line[], shape: Shape): void {
  const found = shape.kind === "stacked" ? stacked(u, lines) : lines.flatMap((l) => tail(u, l, l.values));
  if (found.length === 0) return;
  const { ctx } = u;
  ctx.save();
  ctx.globalAlpha = 0.5;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.lineWidth = (shape.kind === "stacked" ? 1 : 1.6) * (shape.large ? 1.25 : 1) * devicePixelRatio;
  let below: Tail | undefined;
  for (const t of found) {
    if (shape.kind === "stacked") fill(u, t, below, shape);
    ctx.strokeStyle = t.line.muted
      ? withAlpha(colorOf(t.line.paint, shape.scheme), 0.35)
      : colorOf(t.line.paint, shape.scheme);
    ctx.beginPath();
    ctx.moveTo(t.from.x, t.from.y);
    ctx.lineTo(t.to.x, t.to.y);
    ctx.stroke();
    below = t;
  }
  ctx.restore();
}

function tail(u: uPlot, line: Line, values: Line["values"]): Tail[] {
  const at = values.length - 1;
  const [before, last] = [values[at - 1], values[at]];
  if (before == null || last == null || at < 1) return [];
  const scale = line.axis === 1 ? "y2" : "y";
  const place = (i: number, v: number): At => ({
    x: u.valToPos(u.data[0][i] ?? 0, "x", true),
    y: u.valToPos(v, scale, true),
  });
  return [{ line, from: place(at - 1, before), to: place(at, last) }];
}

/** In a stack every line lies on the sum of those before it. */
function stacked(u: uPlot, lines: Line[]): Tail[] {
  const n = u.data[0].length;
  let [before, last] = [0, 0];
  const there = (i: number) => lines.some((l) => l.values[i] != null);
  if (n < 2 || !there(n - 1) || !there(n - 2)) return [];
  return lines.flatMap((l) => {
    before += l.values[n - 2] ?? 0;
    last += l.values[n - 1] ?? 0;
    const values = new Array<number>(n);
    values[n - 2] = before;
    values[n - 1] = last;
    return tail(u, l, values);
  });
}

function fill(u: uPlot, t: Tail, below: Tail | undefined, shape: Shape): void {
  const { ctx, bbox } = u;
  const floor = Math.min(u.valToPos(0, "y", true), bbox.top + bbox.height);
  ctx.fillStyle = fillOf(t.line.paint, shape.scheme);
  ctx.beginPath();
  ctx.moveTo(t.from.x, t.from.y);
  ctx.lineTo(t.to.x, t.to.y);
  ctx.lineTo(t.to.x, below?.to.y ?? floor);
  ctx.lineTo(t.from.x, below?.from.y ?? floor);
  ctx.fill();
}
