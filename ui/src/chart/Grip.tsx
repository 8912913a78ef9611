import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import classes from "./Grip.module.css";
import { topRoom } from "./options";

export type GripProps = {
  /** Which values the chart's axis has. */
  axis: [number, number];
  /** Where on the axis it is. */
  at: number;
  box: RefObject<HTMLDivElement | null>;
  label: string;
  text: string;
  /** What is changed; the same as its place, or something that the place is made of. */
  value: number;
  min: number;
  max: number;
  step: number;
  /** What the value is where the axis has this. */
  read: (onAxis: number) => number;
  onDrag?: ((v: number) => void) | undefined;
  onDrop?: ((v: number) => void) | undefined;
};

const axisHeight = 22;

const rounded = (v: number, by: number) => Number((Math.round(v / by) * by).toPrecision(10));

/** The handle of something in a chart that goes up and down: dragged, or moved by arrow keys. */
export function Grip({ axis: [min, max], box, value, step, read, onDrag, onDrop, ...p }: GripProps) {
  const frozen = useRef<{ axis: [number, number]; read: typeof read } | null>(null);
  const fraction = Math.min(1, Math.max(0, (p.at - min) / (max - min || 1)));
  const top = `calc(${topRoom}px + (100% - ${topRoom + axisHeight}px) * ${(1 - fraction).toFixed(5)})`;
  const within = (v: number) => Math.min(p.max, Math.max(p.min, v));

  function under(e: PointerEvent): number {
    const rect = box.current?.getBoundingClientRect();
    const held = frozen.current;
    if (!rect || !held) return value;
    const [lo, hi] = held.axis;
    const height = rect.height - topRoom - axisHeight;
    const raw = held.read(hi - ((e.clientY - rect.top - topRoom) / height) * (hi - lo));
    return within(rounded(raw, e.altKey ? step / 10 : step));
  }
  function key(e: KeyboardEvent): void {
    const by = (e.altKey ? step / 10 : step) * (e.shiftKey ? 10 : 1);
    const sign = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key];
    if (!sign) return;
    e.preventDefault();
    e.stopPropagation();
    const v = within(Number((value + sign * by).toPrecision(10)));
    onDrag?.(v);
    onDrop?.(v);
  }
  return (
    <button
      type="button"
      className={classes.grip}
      style={{ top }}
      role="slider"
      aria-label={p.label}
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={Number.isFinite(p.min) ? p.min : min}
      aria-valuemax={Number.isFinite(p.max) ? p.max : max}
      aria-valuetext={`${p.label} ${p.text}`}
      onKeyDown={key}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        frozen.current = { axis: [min, max], read };
      }}
      onPointerMove={(e) => frozen.current && onDrag?.(under(e))}
      onPointerUp={(e) => {
        if (frozen.current) onDrop?.(under(e));
        frozen.current = null;
      }}
    >
      {p.text}
    </button>
  );
}
