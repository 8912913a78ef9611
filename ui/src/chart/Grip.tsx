import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from "react";
import { chosen as text } from "../lib/format";
import { dragStep } from "./axis";
import classes from "./Chart.module.css";
import { topRoom } from "./options";

type Props = {
  axis: [number, number];
  value: number;
  unit?: string;
  box: RefObject<HTMLDivElement | null>;
  onDrag?: (v: number) => void;
  onDrop?: (v: number) => void;
};

const axisHeight = 22;

/** The handle of a threshold: dragged, or moved by arrow keys. */
export function Grip({ axis: [min, max], value, unit = "", box, onDrag, onDrop }: Props) {
  const frozen = useRef<[number, number] | null>(null);
  const step = dragStep(min, max);
  const fraction = Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
  const top = `calc(${topRoom}px + (100% - ${topRoom + axisHeight}px) * ${(1 - fraction).toFixed(5)})`;

  function at(e: PointerEvent): number {
    const rect = box.current?.getBoundingClientRect();
    const [lo, hi] = frozen.current ?? [min, max];
    if (!rect) return value;
    const height = rect.height - topRoom - axisHeight;
    const raw = hi - ((e.clientY - rect.top - topRoom) / height) * (hi - lo);
    const by = e.altKey ? step / 10 : step;
    return Number((Math.round(raw / by) * by).toPrecision(10));
  }
  function key(e: KeyboardEvent): void {
    const by = (e.altKey ? step / 10 : step) * (e.shiftKey ? 10 : 1);
    const sign = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1 }[e.key];
    if (!sign) return;
    e.preventDefault();
    e.stopPropagation();
    const v = Number((value + sign * by).toPrecision(10));
    onDrag?.(v);
    onDrop?.(v);
  }
  return (
    <button
      type="button"
      className={classes.grip}
      style={{ top }}
      role="slider"
      aria-label="Threshold"
      aria-orientation="vertical"
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={`Threshold ${text(value, unit)}`}
      onKeyDown={key}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        frozen.current = [min, max];
      }}
      onPointerMove={(e) => frozen.current && onDrag?.(at(e))}
      onPointerUp={(e) => {
        if (frozen.current) onDrop?.(at(e));
        frozen.current = null;
      }}
    >
      {text(value, unit)}
    </button>
  );
}
