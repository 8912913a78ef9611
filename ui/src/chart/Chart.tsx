import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { viewer } from "../lib/viewer";
import type { Window } from "../time/range";
import type { Bounds } from "./axis";
import classes from "./Chart.module.css";
import { columns, type Line } from "./data";
import { Grip } from "./Grip";
import { Bands, Flags, type Incident, type Mark } from "./Marks";
import { type Kind, type Shape, shapeKey } from "./options";
import { type PlotHooks, plot } from "./plot";
import { Readout, type ReadoutHandle } from "./Readout";
import { sentence } from "./readout";
import { useKeyboard } from "./useKeyboard";
import { useScheme } from "./useScheme";

export type ChartProps = {
  title: string;
  /** What the range is called, for the spoken sentence. */
  rangeLabel: string;
  kind: Kind;
  lines: Line[];
  window: Window;
  left?: Bounds;
  right?: Bounds;
  events?: Mark[];
  incidents?: Incident[];
  threshold?: {
    value: number;
    side: "above" | "below";
    unit?: string;
    /** Times at which it was crossed: marked on the line. */
    at?: number[];
    onDrag?: (v: number) => void;
    onDrop?: (v: number) => void;
  };
  /** Only these lines are drawn; none means all. */
  isolated?: ReadonlySet<string>;
  /** The others step back. */
  focused?: string | null;
  readout?: boolean;
  /** The last bucket is still being filled. */
  incomplete?: boolean;
  syncKey?: string;
  large?: boolean;
  onZoom?: (start: number, end: number) => void;
  onPan?: (by: number) => void;
  onZoomOut?: () => void;
  onCursor?: (idx: number | null) => void;
  onOpen?: () => void;
  onAnnotate?: (time: number) => void;
  onEvent?: (e: Mark, at: DOMRect) => void;
};

const none: never[] = [];

/** Draws lines. With plot.ts and options.ts it is all that knows uPlot. It fills its parent. */
export function Chart(props: ChartProps) {
  const { lines, window: w, kind, incomplete = false, isolated } = props;
  const scheme = useScheme();
  const box = useRef<HTMLDivElement>(null);
  const target = useRef<HTMLDivElement>(null);
  const readout = useRef<ReadoutHandle>(null);
  const u = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [axis, setAxis] = useState<[number, number]>([0, 1]);

  const drawn = useMemo(() => (isolated?.size ? lines.filter((l) => isolated.has(l.key)) : lines), [lines, isolated]);
  const data = useMemo(() => columns(drawn, w, kind === "stacked", incomplete), [drawn, w, kind, incomplete]);
  const shape: Shape = {
    kind,
    scheme,
    lines: drawn,
    left: props.left ?? {},
    right: props.right ?? {},
    viewer: viewer(),
    syncKey: props.syncKey,
    large: props.large,
  };
  const key = shapeKey(shape);
  const ready = size.width > 0 && size.height > 0;
  const state = useRef({ shape, data, drawn, size });
  state.current = { shape, data, drawn, size };

  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return;
    let frame = 0;
    const measure = () => setSize({ width: el.clientWidth, height: el.clientHeight });
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(measure);
    });
    measure();
    observer.observe(el);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the shape; data and size have effects of their own
  useLayoutEffect(() => {
    if (!ready || !target.current) return;
    const hooks: PlotHooks = {
      cursor: (self, idx, hovered) => {
        latest.current.onCursor?.(idx);
        readout.current?.show(self, idx, hovered && latest.current.readout !== false);
      },
      zoom: (a, b) => latest.current.onZoom?.(a, b),
      pan: (by) => latest.current.onPan?.(by),
      zoomOut: () => latest.current.onZoomOut?.(),
      click: (e, time) => e.altKey && latest.current.onAnnotate?.(Math.round(time)),
      drawn: (self) => {
        if (!latest.current.threshold?.onDrag) return; // only a grip needs to know
        const [a, b] = [self.scales.y?.min ?? 0, self.scales.y?.max ?? 1];
        setAxis((old) => (old[0] === a && old[1] === b ? old : [a, b]));
      },
      tails: () => (latest.current.incomplete ? state.current.drawn : none),
      threshold: () => {
        const t = latest.current.threshold;
        return t && { value: t.value, side: t.side, at: t.at, solid: t.onDrag !== undefined };
      },
    };
    const now = state.current;
    const made = plot(now.shape, now.data as uPlot.AlignedData, now.size, target.current, hooks);
    u.current = made;
    made.setScale("x", { min: latest.current.window.start, max: latest.current.window.end });
    return () => {
      made.destroy();
      u.current = null;
    };
  }, [key, ready]);

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

  const threshold = props.threshold?.value;
  const crossings = props.threshold?.at;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the canvas shows the threshold, and the axis has room for it
  useEffect(() => {
    const { start: min, end: max } = latest.current.window;
    u.current?.setScale("x", { min, max });
  }, [threshold, crossings]);

  useEffect(() => {
    const at = drawn.findIndex((l) => l.key === props.focused);
    u.current?.setSeries(at < 0 ? null : at + 1, { focus: true });
  }, [props.focused, drawn]);

  const said = useMemo(
    () => sentence(props.title, drawn, props.rangeLabel, w, viewer()),
    [props.title, drawn, props.rangeLabel, w],
  );
  const keyboard = useKeyboard(u, latest, state);
  const hasRight = drawn.some((l) => l.axis === 1);
  return (
    <div
      ref={box}
      className={[classes.box, hasRight && classes.right, props.large && classes.large].filter(Boolean).join(" ")}
      style={{ height: "100%" }}
    >
      <Bands window={w} events={props.events ?? none} incidents={props.incidents ?? none} />
      <div
        ref={target}
        className={classes.plot}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the crosshair is moved by keys
        tabIndex={0}
        aria-label={said}
        onKeyDown={(e: KeyboardEvent<HTMLDivElement>) => keyboard(e)}
      />
      <Flags window={w} width={size.width} events={props.events ?? none} onEvent={props.onEvent} />
      <Readout ref={readout} lines={drawn} window={w} square={kind === "stacked"} />
      {props.threshold?.onDrag && <Grip axis={axis} {...props.threshold} box={box} />}
    </div>
  );
}
