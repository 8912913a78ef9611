import { useMemo, useRef, useState } from "react";
import type uPlot from "uplot";
import { chosen } from "../lib/format";
import { axisRange, dragStep } from "./axis";
import { Grip, type GripProps } from "./Grip";
import { Lines, type LinesProps } from "./Lines";
import type { Past } from "./past";
import { pastLevel } from "./pastLevel";
import { type Threshold, thresholdLevel } from "./threshold";

/** What is taken hold of, without what the chart itself knows. */
export type Handle = Omit<GripProps, "axis" | "box">;

export type ChartProps = Omit<LinesProps, "level" | "children"> & {
  threshold?: Omit<Threshold, "solid"> & {
    unit?: string;
    onDrag?: (v: number) => void;
    onDrop?: (v: number) => void;
  };
  /** What else can be dragged. */
  handles?: Handle[];
  /** What the lines are compared with. */
  past?: Past | undefined;
};

const none: Handle[] = [];

/** Lines with a threshold, or something else, that can be taken hold of; for alerts. */
export function Chart({ threshold, handles = none, past, ...rest }: ChartProps) {
  const [axis, setAxis] = useState<[number, number]>([0, 1]);
  const box = useRef<HTMLDivElement>(null);
  const { value, side, at } = threshold ?? {};
  const solid = threshold?.onDrag !== undefined;
  const held = solid || handles.length > 0;
  const line = useMemo(() => {
    // Only a grip needs to know.
    const drawn = (lo: number, hi: number) =>
      held && setAxis((old) => (old[0] === lo && old[1] === hi ? old : [lo, hi]));
    if (value !== undefined && side !== undefined) return thresholdLevel({ value, side, at, solid }, drawn);
    if (!held) return undefined;
    return {
      range: axisRange,
      draw: (u: uPlot, part: "under" | "over") => part === "over" && drawn(u.scales.y?.min ?? 0, u.scales.y?.max ?? 1),
    };
  }, [value, side, at, solid, held]);
  const level = useMemo(() => (past ? pastLevel(past, "line", line) : line), [past, line]);
  const all = threshold && solid ? [thresholdHandle(threshold, axis), ...handles] : handles;
  return (
    <Lines {...rest} level={level}>
      {all.length > 0 && (
        <div ref={box} style={{ position: "absolute", inset: 0, pointerEvents: "none" }}>
          {all.map((h) => (
            <Grip key={h.label} axis={axis} box={box} {...h} />
          ))}
        </div>
      )}
    </Lines>
  );
}

/** A threshold is where it is on the axis, and may be moved beyond its ends. */
function thresholdHandle(t: NonNullable<ChartProps["threshold"]>, [lo, hi]: [number, number]): Handle {
  return {
    label: "Threshold",
    text: chosen(t.value, t.unit),
    value: t.value,
    at: t.value,
    min: Number.NEGATIVE_INFINITY,
    max: Number.POSITIVE_INFINITY,
    step: dragStep(lo, hi),
    read: (v) => v,
    onDrag: t.onDrag,
    onDrop: t.onDrop,
  };
}
