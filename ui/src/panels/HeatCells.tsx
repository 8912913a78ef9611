import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useMemo, useRef } from "react";
import { useScheme } from "../chart/useScheme";
import { type Size, useSize } from "../chart/useSize";
import { clock, dayAndMonth } from "../lib/format";
import type { Window } from "../time/range";
import { amount, columnsOf } from "./counts";
import classes from "./Heatmap.module.css";
import { drawHeat } from "./heatDraw";
import { type Heat, rowAt } from "./heatmap";
import type { HeatLimits } from "./limits";
import { ticksOn } from "./valueAxis";

/** A cell: its row from the top, and its step. */
export type At = { row: number; col: number };

type Props = {
  heat: Heat;
  limits: HeatLimits;
  window: Window;
  label: string;
  at: At | null;
  setAt: (at: At | null) => void;
  /** The cell stays, to be looked at closer. */
  held: boolean;
  onHold: () => void;
  /** What lies over the cells, given their width. */
  marks?: ((width: number) => ReactNode) | undefined;
};

const moves: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Where reading by keys begins: the last step, and of a distribution the range with most of its values. */
function firstOf({ rows, spread }: Heat, columns: number): At {
  const counts = spread?.counts.map((row) => row[columns - 1] ?? 0) ?? [];
  return { row: Math.min(rows.length - 1, Math.max(0, counts.indexOf(Math.max(...counts)))), col: columns - 1 };
}

/** How cells are pointed at, by pointers and by keys. */
function usePointing({ heat, window: w, at, setAt, held, onHold }: Props) {
  const columns = columnsOf(w);
  const clamp = (row: number, col: number): At => ({
    row: Math.min(heat.rows.length - 1, Math.max(0, row)),
    col: Math.min(columns - 1, Math.max(0, col)),
  });
  const point = (e: PointerEvent) => {
    if (held) return;
    const r = e.currentTarget.getBoundingClientRect();
    setAt(clamp(rowAt(heat, (e.clientY - r.top) / r.height), Math.floor(((e.clientX - r.left) / r.width) * columns)));
  };
  const press = (e: KeyboardEvent) => {
    if (e.key === "Enter" && at) return onHold();
    const by = moves[e.key];
    if (!by) return;
    e.preventDefault();
    setAt(at ? clamp(at.row + by[0], at.col + by[1]) : firstOf(heat, columns));
  };
  // A finger is gone when it has pointed: what it pointed at stays.
  const leave = (e: PointerEvent) => !held && e.pointerType !== "touch" && setAt(null);
  return {
    onPointerMove: point,
    onPointerDown: point,
    onPointerLeave: leave,
    onPointerCancel: () => setAt(null), // the page is scrolled
    onKeyDown: press,
    onClick: () => at && onHold(),
  };
}

/** The cells with their axes. They are read by pointing, and by arrow keys. */
export function HeatCells(props: Props) {
  const { heat, limits, window: w, at, marks } = props;
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const columns = columnsOf(w);
  const ticks = useTicks(heat, size);
  return (
    <div className={classes.plot} data-marks={marks ? true : undefined}>
      <ValueLabels heat={heat} ticks={ticks} />
      <div
        ref={box}
        className={classes.box}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: cells are read by keys
        tabIndex={0}
        aria-label={props.label}
        data-held={props.held || undefined}
        {...usePointing(props)}
      >
        <Picture heat={heat} limits={limits} columns={columns} size={size} ticks={ticks} />
        {at && <Pointed heat={heat} at={at} columns={columns} />}
      </div>
      {marks && <div className={classes.marks}>{marks(size.width)}</div>}
      <TimeLabels window={w} width={size.width} />
    </div>
  );
}

/** Closer together than this, labels are no longer read one by one. */
const tickRoom = 26;
const mostTicks = 7;

/** The values that are written beside the cells of a distribution. */
function useTicks({ spread }: Heat, { height }: Size): number[] {
  const axis = spread?.axis;
  return useMemo(
    () => (axis && height ? ticksOn(axis, Math.min(mostTicks, Math.floor(height / tickRoom))) : []),
    [axis, height],
  );
}

type PictureProps = { heat: Heat; limits: HeatLimits; columns: number; size: Size; ticks: number[] };

function Picture({ heat, limits, columns, size, ticks }: PictureProps) {
  const scheme = useScheme();
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current && size.width && size.height)
      drawHeat(canvas.current, heat, limits, columns, size, scheme, ticks);
  }, [heat, limits, columns, size, scheme, ticks]);
  return <canvas ref={canvas} />;
}

/** What is pointed at: a cell, and of a distribution its step. */
function Pointed({ heat, at, columns }: { heat: Heat; at: At; columns: number }) {
  const row = heat.rows[at.row];
  const percent = (part: number) => `${100 * part}%`;
  return (
    <>
      {heat.spread && <span className={classes.step} style={{ left: percent((at.col + 0.5) / columns) }} />}
      {row && heat.spread?.cells !== false && (
        <span
          className={classes.at}
          style={{
            left: percent(at.col / columns),
            top: percent(row.from),
            width: percent(1 / columns),
            height: percent(row.to - row.from),
          }}
        />
      )}
    </>
  );
}

function ValueLabels({ heat: { ends, spread }, ticks }: { heat: Heat; ticks: number[] }) {
  if (!spread)
    return (
      <div className={classes.ends} aria-hidden>
        {ends.map((end, i) => (
          <span key={i} className="mono cut">
            {end}
          </span>
        ))}
      </div>
    );
  // The row of zero is above its end of the axis.
  const at = (v: number) => 1 - spread.axis.at(v) - (v === 0 ? spread.axis.room / 2 : 0);
  return (
    <div className={classes.values} aria-hidden>
      {ticks.map((v) => (
        <span key={v} style={{ top: `${100 * at(v)}%` }}>
          {amount(v, spread.unit)}
        </span>
      ))}
    </div>
  );
}

const TimeLabels = ({ window: w, width }: { window: Window; width: number }) => (
  <div className={classes.times} aria-hidden>
    {timesOn(w, width).map((t) => (
      <span key={t} style={{ left: `${(100 * (t - w.start)) / (w.end - w.start)}%` }}>
        {(w.end - w.start > 2 * 86_400 ? dayAndMonth : clock)(t)}
      </span>
    ))}
  </div>
);

/** Times to write under the cells: as many as have room, on whole steps. */
function timesOn(w: Window, width: number): number[] {
  const span = w.end - w.start;
  const most = Math.max(1, Math.floor(width / 84));
  const step =
    [300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 7 * 86_400].find((s) => span / s < most + 1) ??
    30 * 86_400;
  // Half a label is none.
  const room = width ? (span * 20) / width : 0;
  const first = Math.ceil((w.start + room) / step) * step;
  return Array.from({ length: Math.max(0, Math.ceil((w.end - room - first) / step)) }, (_, i) => first + i * step);
}
