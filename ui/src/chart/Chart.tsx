import { useMemo, useRef, useState } from "react";
import { Grip } from "./Grip";
import { Lines, type LinesProps } from "./Lines";
import { type Past, pastLevel } from "./past";
import { type Threshold, thresholdLevel } from "./threshold";

export type ChartProps = Omit<LinesProps, "level" | "children"> & {
  threshold?: Omit<Threshold, "solid"> & {
    unit?: string;
    onDrag?: (v: number) => void;
    onDrop?: (v: number) => void;
  };
  /** What the lines are compared with. */
  past?: Past | undefined;
};

/** Lines with a threshold that can be taken hold of; for alerts. */
export function Chart({ threshold, past, ...rest }: ChartProps) {
  const [axis, setAxis] = useState<[number, number]>([0, 1]);
  const box = useRef<HTMLDivElement>(null);
  const { value, side, at } = threshold ?? {};
  const solid = threshold?.onDrag !== undefined;
  const line = useMemo(
    () =>
      value === undefined || side === undefined
        ? undefined
        : thresholdLevel({ value, side, at, solid }, (lo, hi) => {
            // Only a grip needs to know.
            if (solid) setAxis((old) => (old[0] === lo && old[1] === hi ? old : [lo, hi]));
          }),
    [value, side, at, solid],
  );
  const level = useMemo(() => (past ? pastLevel(past, "line", line) : line), [past, line]);
  return (
    <Lines {...rest} level={level}>
      {threshold?.onDrag && (
        <div ref={box} style={{ position: "absolute", inset: 0, pointerEvents: "none" }}>
          <Grip axis={axis} {...threshold} box={box} />
        </div>
      )}
    </Lines>
  );
}
