import uPlot from "uplot";
import { axisRange } from "./axis";
import type { Line } from "./data";
import { options, type Shape } from "./options";
import { colorOf, frame } from "./palette";

export type PlotHooks = {
  cursor: (u: uPlot, idx: number | null, hovered: boolean) => void;
  zoom: (start: number, end: number) => void;
  pan: (by: number) => void;
  zoomOut: () => void;
  click: (e: MouseEvent, time: number) => void;
  drawn: (u: uPlot) => void;
  /** Lines with the bucket that is still being filled, or none. */
  tails: () => Line[];
  threshold: () => { value: number; side: "above" | "below"; solid: boolean; at?: number[] | undefined } | undefined;
};

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Moves the crosshair here and in all charts of the page; outside of the plot hides it. */
export function point(u: uPlot, left: number, top: number): void {
  // The third argument, publish, is missing in uPlot's types.
  (u.setCursor as (at: { left: number; top: number }, fire: boolean, publish: boolean) => void)(
    { left, top },
    true,
    true,
  );
}

/** Makes a plot that behaves: drag zooms, shift-drag pans, double-click zooms out, touch reads. */
export function plot(
  shape: Shape,
  data: uPlot.AlignedData,
  size: { width: number; height: number },
  target: HTMLElement,
  hooks: PlotHooks,
): uPlot {
  let hovered = false;
  const base = options(shape);
  const drawThreshold = thresholdDrawer(shape, hooks);
  const u = new uPlot(
    {
      ...base,
      ...size,
      scales: { ...base.scales, ...(base.scales?.y && { y: withThreshold(base.scales.y, shape, hooks) }) },
      // Converting is slow, and mostly the zone is the browser's own.
      tzDate:
        shape.viewer.zone === ownZone
          ? (ts) => new Date(ts * 1000)
          : (ts) => uPlot.tzDate(new Date(ts * 1000), shape.viewer.zone),
      cursor: {
        ...base.cursor,
        bind: {
          mousedown: (self, _target, handler) => (e) => {
            if (e.shiftKey && e.button === 0) return startPan(self, e, hooks.pan);
            return handler(e);
          },
          dblclick: () => () => {
            hooks.zoomOut();
            return null;
          },
        },
      },
      hooks: {
        drawAxes: [(self) => drawThreshold(self, "wash")],
        draw: [
          (self) => {
            drawTails(self, hooks.tails(), shape);
            drawThreshold(self, "line");
            hooks.drawn(self);
          },
        ],
        setCursor: [
          (self) =>
            hooks.cursor(
              self,
              self.cursor.left == null || self.cursor.left < 0 ? null : (self.cursor.idx ?? null),
              hovered,
            ),
        ],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            if (width > 4) hooks.zoom(self.posToVal(left, "x"), self.posToVal(left + width, "x"));
            self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          },
        ],
      },
    },
    data,
    target,
  );
  u.over.addEventListener("mouseenter", () => {
    hovered = true;
  });
  u.over.addEventListener("mouseleave", () => {
    hovered = false;
    hooks.cursor(u, null, false);
  });
  u.over.addEventListener("click", (e) => hooks.click(e, u.posToVal(e.offsetX, "x")));
  listenToTouch(
    u,
    (on) => {
      hovered = on;
    },
    hooks,
  );
  return u;
}

function startPan(u: uPlot, e: MouseEvent, pan: (by: number) => void): null {
  e.preventDefault();
  const from = e.clientX;
  const up = (end: MouseEvent) => {
    window.removeEventListener("mouseup", up);
    const span = (u.scales.x?.max ?? 0) - (u.scales.x?.min ?? 0);
    const by = ((from - end.clientX) / u.over.clientWidth) * span;
    if (Math.abs(end.clientX - from) > 3) pan(by);
  };
  window.addEventListener("mouseup", up);
  return null;
}

const holdFor = 220;

/** Press and hold, then slide, reads; two fingers zoom. Scrolling stays the page's. */
function listenToTouch(u: uPlot, setHovered: (on: boolean) => void, hooks: PlotHooks): void {
  let timer = 0;
  let reading = false;
  let pinch: [number, number] | undefined;
  const x = (t: Touch) => t.clientX - u.over.getBoundingClientRect().left;
  const read = (t: Touch) => point(u, x(t), u.over.clientHeight / 2);
  const spread = (e: TouchEvent): [number, number] | undefined => {
    const [a, b] = [e.touches[0], e.touches[1]];
    return a && b ? [Math.min(x(a), x(b)), Math.max(x(a), x(b))] : undefined;
  };
  u.over.addEventListener(
    "touchstart",
    (e) => {
      window.clearTimeout(timer);
      pinch = spread(e);
      const first = e.touches[0];
      if (!first || pinch) return;
      timer = window.setTimeout(() => {
        reading = true;
        setHovered(true);
        read(first);
      }, holdFor);
    },
    { passive: true },
  );
  u.over.addEventListener(
    "touchmove",
    (e) => {
      if (!reading && !pinch) return window.clearTimeout(timer);
      if (e.cancelable) e.preventDefault();
      const first = e.touches[0];
      if (reading && first) read(first);
      const now = spread(e);
      if (pinch && now) pinchTo = now;
    },
    { passive: false },
  );
  let pinchTo: [number, number] | undefined;
  u.over.addEventListener("touchend", () => {
    window.clearTimeout(timer);
    if (pinch && pinchTo) zoomByPinch(u, pinch, pinchTo, hooks);
    if (reading) point(u, -10, -10);
    if (reading) setHovered(false);
    reading = false;
    pinch = pinchTo = undefined;
  });
}

function zoomByPinch(u: uPlot, from: [number, number], to: [number, number], hooks: PlotHooks): void {
  const scale = (from[1] - from[0]) / Math.max(1, to[1] - to[0]);
  if (scale > 1.15) return hooks.zoomOut();
  if (scale > 0.87) return;
  const middle = u.posToVal((from[0] + from[1]) / 2, "x");
  const half = (((u.scales.x?.max ?? 0) - (u.scales.x?.min ?? 0)) * scale) / 2;
  hooks.zoom(middle - half, middle + half);
}

/** The newest bucket is not full yet: dashed, at half strength. */
function drawTails(u: uPlot, lines: Line[], shape: Shape): void {
  if (shape.kind === "stacked") return;
  const { ctx } = u;
  ctx.save();
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = 1.6 * devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  for (const l of lines) {
    const at = l.values.length - 1;
    const [before, last] = [l.values[at - 1], l.values[at]];
    const xs = u.data[0];
    if (before == null || last == null || at < 1) continue;
    const scale = l.axis === 1 ? "y2" : "y";
    ctx.strokeStyle = colorOf(l.paint, shape.scheme);
    ctx.beginPath();
    ctx.moveTo(u.valToPos(xs[at - 1] ?? 0, "x", true), u.valToPos(before, scale, true));
    ctx.lineTo(u.valToPos(xs[at] ?? 0, "x", true), u.valToPos(last, scale, true));
    ctx.stroke();
  }
  ctx.restore();
}

/** Where a firing begins, on the line that it crossed. */
function dot(ctx: CanvasRenderingContext2D, x: number, y: number): void {
  ctx.beginPath();
  ctx.arc(x, y, 4.5 * devicePixelRatio, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
}

/** A threshold that no value reaches belongs to the axis all the same. */
function withThreshold(scale: uPlot.Scale, shape: Shape, hooks: PlotHooks): uPlot.Scale {
  return {
    ...scale,
    range: (_u, lo, hi) => {
      const t = hooks.threshold()?.value;
      if (t === undefined) return axisRange(lo, hi, shape.left);
      return axisRange(Math.min(lo ?? t, t), Math.max(hi ?? t, t), shape.left);
    },
  };
}

function thresholdDrawer(shape: Shape, hooks: PlotHooks) {
  const red = shape.scheme === "dark" ? "255, 138, 122" : "192, 57, 43";
  return (u: uPlot, part: "wash" | "line") => {
    const t = hooks.threshold();
    if (!t) return;
    const { ctx, bbox } = u;
    const y = Math.min(Math.max(u.valToPos(t.value, "y", true), bbox.top), bbox.top + bbox.height);
    ctx.save();
    if (part === "wash" && t.solid) {
      ctx.fillStyle = `rgba(${red}, 0.06)`;
      const top = t.side === "above" ? bbox.top : y;
      ctx.fillRect(bbox.left, top, bbox.width, t.side === "above" ? y - bbox.top : bbox.top + bbox.height - y);
    }
    if (part === "line") {
      ctx.strokeStyle = `rgb(${red})`;
      ctx.lineWidth = (t.solid ? 1.75 : 1.25) * devicePixelRatio;
      if (!t.solid) ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
      ctx.beginPath();
      ctx.moveTo(bbox.left, y);
      ctx.lineTo(bbox.left + bbox.width, y);
      ctx.stroke();
      ctx.fillStyle = ctx.strokeStyle;
      ctx.strokeStyle = frame[shape.scheme].panel;
      for (const at of t.at ?? []) dot(ctx, u.valToPos(at, "x", true), y);
    }
    ctx.restore();
  };
}
