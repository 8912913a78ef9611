import { lazy, type ReactNode, Suspense, useMemo, useRef } from "react";
import "uplot/dist/uPlot.min.css";
import { spare } from "../lib/spare";
import { viewer } from "../lib/viewer";
import type { Window } from "../time/range";
import type { Bounds } from "./axis";
import classes from "./Chart.module.css";
import { columns } from "./columns";
import type { Line } from "./data";
import type { Incident, Mark } from "./Marks";
import type { Kind, Shape } from "./options";
import type { Level } from "./plot";
import type { ReadoutHandle } from "./Readout";
import { sentence } from "./spoken";
import { useKeyboard } from "./useKeyboard";
import { usePlot } from "./usePlot";
import { useScheme } from "./useScheme";
import { useSize } from "./useSize";

export type LinesProps = {
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
  /** What else is drawn on the canvas; a new one draws everything again. */
  level?: Level | undefined;
  /** Over everything else, in the plot's own box. */
  children?: ReactNode;
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
  /** What is dragged over, or marked by keys, is marked and not zoomed into. */
  onBrush?: (start: number, end: number) => void;
  /** What is marked. */
  brush?: { start: number; end: number } | undefined;
  onPan?: (by: number) => void;
  onZoomOut?: () => void;
  onCursor?: (idx: number | null) => void;
  onOpen?: () => void;
  onAnnotate?: (time: number, until?: number) => void;
  onEvent?: (e: Mark, at: DOMRect) => void;
};

const none: never[] = [];
const Brush = lazy(() => import("./Brush"));
// The lines do not wait for what many charts are without, or need only once somebody points at them.
const Bands = spare(() => import("./Marks").then((m) => ({ default: m.Bands })));
const Flags = spare(() => import("./Marks").then((m) => ({ default: m.Flags })));
const Readout = spare(() => import("./Readout").then((m) => ({ default: m.Readout })));

/** Draws lines. With plot.ts and what that is made of it is all that knows uPlot. It fills its parent. */
export function Lines(props: LinesProps) {
  const { lines, window: w, kind, incomplete = false, isolated, events = none, incidents = none } = props;
  const scheme = useScheme();
  const box = useRef<HTMLDivElement>(null);
  const target = useRef<HTMLDivElement>(null);
  const readout = useRef<ReadoutHandle>(null);
  const size = useSize(box);
  const drawn = useMemo(() => (isolated?.size ? lines.filter((l) => isolated.has(l.key)) : lines), [lines, isolated]);
  const data = useMemo(() => columns(drawn, w, kind !== "line", incomplete), [drawn, w, kind, incomplete]);
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
  const { u, latest, state } = usePlot(props, { shape, data, drawn, size }, { target, readout });
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
      {(events.length > 0 || incidents.length > 0) && <Bands window={w} events={events} incidents={incidents} />}
      <div
        ref={target}
        className={classes.plot}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the crosshair is moved by keys
        tabIndex={0}
        aria-label={said}
        onKeyDown={keyboard.press}
        onBlur={keyboard.leave}
      />
      {events.length > 0 && (
        <Flags
          window={w}
          width={size.width}
          large={props.large ?? false}
          events={events}
          onEvent={props.onEvent}
          onZoom={props.onZoom}
        />
      )}
      {props.brush && (
        <Suspense fallback={null}>
          <Brush window={w} brush={props.brush} onBrush={props.onBrush} />
        </Suspense>
      )}
      <Readout ref={readout} lines={drawn} window={w} square={kind !== "line"} />
      {props.children}
    </div>
  );
}
