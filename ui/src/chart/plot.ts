import uPlot from "uplot";
import { axisRange, type Bounds } from "./axis";
import { isOneOfMany } from "./band";
import { reading } from "./crosshair";
import type { Line } from "./data";
import { options, type Shape } from "./options";
import type { Scheme } from "./palette";
import { drawTails } from "./tails";

/** Something that is drawn besides the lines, and for which the axis has room. */
export type Level = {
  range: (lo: number | null, hi: number | null, left: Bounds) => [number, number];
  draw: (u: uPlot, part: "under" | "over", scheme: Scheme) => void;
};

export type PlotHooks = {
  cursor: (u: uPlot, idx: number | null) => void;
  zoom: (start: number, end: number) => void;
  /** A stretch that was dragged over. */
  select: (start: number, end: number) => void;
  /** Whether a drag marks a stretch; then Shift and a drag zoom. */
  marks: () => boolean;
  /** A stretch that was dragged over with Alt held. */
  annotate: (start: number, end: number) => void;
  pan: (by: number) => void;
  zoomOut: () => void;
  click: (e: MouseEvent, time: number) => void;
  /** Lines with the bucket that is still being filled, or none. */
  tails: () => Line[];
  level: () => Level | undefined;
};

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const noSelection = { left: 0, top: 0, width: 0, height: 0 };

/** Makes a plot that behaves: drag zooms, with Alt it notes, shift-drag pans, double-click zooms out, touch reads. */
export function plot(
  shape: Shape,
  data: uPlot.AlignedData,
  size: { width: number; height: number },
  target: HTMLElement,
  hooks: PlotHooks,
): uPlot {
  const base = options(shape);
  const held: Held = {};
  const range = (_u: uPlot, lo: number, hi: number) =>
    (hooks.level()?.range ?? axisRange)(lo, hi, shape.left) as uPlot.Range.MinMax;
  const u = new uPlot(
    {
      ...base,
      ...size,
      scales: { ...base.scales, y: { ...base.scales?.y, range } },
      // Converting is slow, and mostly the zone is the browser's own.
      tzDate:
        shape.viewer.zone === ownZone
          ? (ts) => new Date(ts * 1000)
          : (ts) => uPlot.tzDate(new Date(ts * 1000), shape.viewer.zone),
      cursor: { ...base.cursor, bind: mouse(hooks, held) },
      hooks: {
        drawAxes: [(self) => hooks.level()?.draw(self, "under", shape.scheme)],
        draw: [
          (self) => drawTails(self, hooks.tails(), shape),
          (self) => hooks.level()?.draw(self, "over", shape.scheme),
        ],
        setCursor: [(self) => hooks.cursor(self, indexOf(self))],
        setSelect: [
          (self) => {
            const { left, width } = self.select;
            // Charts that share the crosshair show what is dragged over too; the one with the mouse acts.
            const act = held.by;
            delete held.by;
            if (act && width > 4) hooks[act](self.posToVal(left, "x"), self.posToVal(left + width, "x"));
            self.setSelect(noSelection, false);
          },
        ],
      },
    },
    data,
    target,
  );
  u.over.addEventListener("mouseenter", () => reading.set(u, "mouse"));
  u.over.addEventListener("mouseleave", () => {
    reading.delete(u);
    hooks.cursor(u, null);
  });
  u.over.addEventListener("click", (e) => hooks.click(e, u.posToVal(e.offsetX, "x")));
  // Most charts are looked at with a mouse, and have few lines.
  if (shape.lines.some(isOneOfMany)) void import("./highlight").then((m) => m.followPointer(u, shape));
  if (navigator.maxTouchPoints > 0) void import("./touch").then((m) => m.listenToTouch(u, hooks));
  return u;
}

const indexOf = (u: uPlot) => (u.cursor.left == null || u.cursor.left < 0 ? null : (u.cursor.idx ?? null));

/** What becomes of the drag that began here. */
type Held = { by?: "zoom" | "select" | "annotate" };

function mouse(hooks: PlotHooks, held: Held): uPlot.Cursor.Bind {
  return {
    mousedown: (self, _target, handler) => (e) => {
      const now = e.shiftKey && hooks.marks();
      held.by = e.altKey ? "annotate" : now ? "zoom" : "select";
      if (e.shiftKey && !now && e.button === 0) return startPan(self, e, hooks.pan);
      return handler(e);
    },
    dblclick: () => () => {
      hooks.zoomOut();
      return null;
    },
  };
}

function startPan(u: uPlot, e: MouseEvent, pan: (by: number) => void): null {
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
