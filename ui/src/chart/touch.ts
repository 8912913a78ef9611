import type uPlot from "uplot";
import { point, reading } from "./crosshair";

type Zoom = { zoom: (start: number, end: number) => void; zoomOut: () => void };
type Spread = [number, number];

const holdFor = 220;

/** Press and hold, then slide, reads; two fingers zoom. Scrolling stays the page's. */
export function listenToTouch(u: uPlot, hooks: Zoom): void {
  let timer = 0;
  let down = false;
  let held = false;
  let from: Spread | undefined;
  let to: Spread | undefined;
  const x = (t: Touch) => t.clientX - u.over.getBoundingClientRect().left;
  const read = (t: Touch) => point(u, x(t), u.over.clientHeight / 2);
  const spread = (e: TouchEvent): Spread | undefined => {
    const [a, b] = [e.touches[0], e.touches[1]];
    return a && b ? [Math.min(x(a), x(b)), Math.max(x(a), x(b))] : undefined;
  };
  const start = (e: TouchEvent) => {
    window.clearTimeout(timer);
    down = true;
    from = spread(e);
    const first = e.touches[0];
    if (!first || from) return;
    timer = window.setTimeout(() => {
      held = true;
      reading.set(u, "touch");
      read(first);
    }, holdFor);
  };
  const move = (e: TouchEvent) => {
    if (!held && !from) return window.clearTimeout(timer);
    if (e.cancelable) e.preventDefault();
    const first = e.touches[0];
    if (held && first) read(first);
    if (from) to = spread(e) ?? to;
  };
  const end = () => {
    window.clearTimeout(timer);
    down = false;
    if (from && to) zoomByPinch(u, from, to, hooks);
    if (held) letGo(u);
    held = false;
    from = to = undefined;
  };
  u.over.addEventListener("touchstart", start, { passive: true });
  u.over.addEventListener("touchmove", move, { passive: false });
  u.over.addEventListener("touchend", end);
  u.over.addEventListener("touchcancel", end);
  // A long press means the crosshair here, not the menu of the browser, which a
  // busy device may offer first.
  u.over.addEventListener("contextmenu", (e) => down && e.preventDefault());
}

function letGo(u: uPlot): void {
  reading.delete(u);
  point(u, -10, -10);
}

function zoomByPinch(u: uPlot, from: Spread, to: Spread, hooks: Zoom): void {
  const scale = (from[1] - from[0]) / Math.max(1, to[1] - to[0]);
  if (scale > 1.15) return hooks.zoomOut();
  if (scale > 0.87) return;
  const middle = u.posToVal((from[0] + from[1]) / 2, "x");
  const half = (((u.scales.x?.max ?? 0) - (u.scales.x?.min ?? 0)) * scale) / 2;
  hooks.zoom(middle - half, middle + half);
}
