import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type uPlot from "uplot";
import type { columns } from "./columns";
import { reading } from "./crosshair";
import type { Line } from "./data";
import type { LinesProps } from "./Lines";
import { type Shape, shapeKey } from "./options";
import { type PlotHooks, plot } from "./plot";
import type { ReadoutHandle } from "./Readout";
import type { Size } from "./useSize";

type Drawn = { shape: Shape; data: ReturnType<typeof columns>; drawn: Line[]; size: Size };
type Parts = { target: RefObject<HTMLDivElement | null>; readout: RefObject<ReadoutHandle | null> };

const none: never[] = [];
/** What labels are written in; any size of it. */
const font = '11px "Inter Variable"';

/** One plot for the lifetime of a chart: data and size are brought to it, only another shape makes a new one. */
export function usePlot(props: LinesProps, now: Drawn, { target, readout }: Parts) {
  const u = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const state = useRef(now);
  state.current = now;
  const { shape, data, drawn, size } = now;
  const w = props.window;
  const key = shapeKey(shape);
  const ready = size.width > 0 && size.height > 0;

  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the shape; data and size have effects of their own
  useLayoutEffect(() => {
    if (!ready || !target.current) return;
    const hooks = hooksFor(latest, state, readout);
    const s = state.current;
    const made = plot(s.shape, s.data as uPlot.AlignedData, s.size, target.current, hooks);
    u.current = made;
    made.setScale("x", { min: latest.current.window.start, max: latest.current.window.end });
    return () => {
      made.destroy();
      u.current = null;
    };
  }, [key, ready]);

  // Letters on a canvas stay in the font that was there when they were drawn.
  useEffect(() => {
    if (document.fonts.check(font)) return;
    const again = () => document.fonts.check(font) && u.current?.redraw(false, true);
    document.fonts.addEventListener("loadingdone", again);
    return () => document.fonts.removeEventListener("loadingdone", again);
  }, []);

  useLayoutEffect(() => {
    const self = u.current;
    if (!self || (self.data as unknown) === data) return;
    self.batch(() => {
      self.setData(data as uPlot.AlignedData, false);
      self.setScale("x", { min: w.start, max: w.end });
    });
  }, [data, w]);

  useLayoutEffect(() => {
    const self = u.current;
    if (self && size.width > 0 && (self.width !== size.width || self.height !== size.height)) self.setSize(size);
  }, [size]);

  const { level } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas shows the level, and the axis has room for it
  useEffect(() => {
    const { start: min, end: max } = latest.current.window;
    u.current?.setScale("x", { min, max });
  }, [level]);

  useEffect(() => {
    const at = drawn.findIndex((l) => l.key === props.focused);
    u.current?.setSeries(at < 0 ? null : at + 1, { focus: true });
  }, [props.focused, drawn]);

  return { u, latest, state };
}

function hooksFor(
  latest: RefObject<LinesProps>,
  state: RefObject<Drawn>,
  readout: RefObject<ReadoutHandle | null>,
): PlotHooks {
  return {
    cursor: (self, idx) => {
      latest.current.onCursor?.(idx);
      readout.current?.show(self, idx, reading.has(self) && latest.current.readout !== false);
    },
    zoom: (a, b) => latest.current.onZoom?.(a, b),
    select: (a, b) => (latest.current.onBrush ?? latest.current.onZoom)?.(a, b),
    marks: () => latest.current.onBrush !== undefined,
    annotate: (a, b) => latest.current.onAnnotate?.(Math.round(a), Math.round(b)),
    pan: (by) => latest.current.onPan?.(by),
    zoomOut: () => latest.current.onZoomOut?.(),
    click: (e, time) => e.altKey && latest.current.onAnnotate?.(Math.round(time)),
    tails: () => (latest.current.incomplete ? state.current.drawn : none),
    level: () => latest.current.level,
  };
}
