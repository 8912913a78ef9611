import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from "react";
import { dayAndClock } from "../lib/format";
import type { Window } from "../time/range";
import classes from "./Brush.module.css";
import frame from "./Chart.module.css";

type Range = { start: number; end: number };
type Props = { window: Window; brush: Range; onBrush?: ((start: number, end: number) => void) | undefined };

/** A range of time that is marked, with grips at both ends: dragged, or moved by arrow keys. */
export default function Brush({ window: w, brush, onBrush }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [held, setHeld] = useState<Range>(brush);
  useEffect(() => setHeld(brush), [brush]);
  if (held.end <= w.start || held.start >= w.end) return null;
  const at = (t: number) => Math.min(1, Math.max(0, (t - w.start) / (w.end - w.start)));
  const moved = (side: "start" | "end", to: number): Range => {
    const t = Math.round(Math.min(w.end, Math.max(w.start, to)) / w.step) * w.step;
    return side === "start"
      ? { ...held, start: Math.min(t, held.end - w.step) }
      : { ...held, end: Math.max(t, held.start + w.step) };
  };
  const timeOf = (e: PointerEvent) => {
    const rect = box.current?.getBoundingClientRect();
    return rect ? w.start + ((e.clientX - rect.left) / rect.width) * (w.end - w.start) : w.start;
  };
  const done = (r: Range) => onBrush?.(r.start, r.end);
  const grip = (side: "start" | "end") => (
    <button
      type="button"
      role="slider"
      className={classes.grip}
      style={side === "start" ? { left: 0 } : { left: "100%" }}
      aria-label={side === "start" ? "Start of the range" : "End of the range"}
      aria-valuemin={w.start}
      aria-valuemax={w.end}
      aria-valuenow={held[side]}
      aria-valuetext={dayAndClock(held[side])}
      onKeyDown={(e: KeyboardEvent) => {
        const sign = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[e.key];
        if (!sign) return;
        e.preventDefault();
        e.stopPropagation();
        done(moved(side, held[side] + sign * w.step * (e.shiftKey ? 10 : 1)));
      }}
      onPointerDown={(e) => {
        e.stopPropagation();
        e.currentTarget.setPointerCapture(e.pointerId);
      }}
      onPointerMove={(e) => e.currentTarget.hasPointerCapture(e.pointerId) && setHeld(moved(side, timeOf(e)))}
      onPointerUp={(e) => done(moved(side, timeOf(e)))}
    />
  );
  return (
    <div ref={box} className={frame.above}>
      <div
        className={classes.brush}
        data-brush
        style={{ left: `${at(held.start) * 100}%`, width: `${(at(held.end) - at(held.start)) * 100}%` }}
      >
        {onBrush && grip("start")}
        {onBrush && grip("end")}
      </div>
    </div>
  );
}
