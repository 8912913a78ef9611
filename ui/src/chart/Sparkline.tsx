import { useId } from "react";
import { extremes } from "../lib/extremes";
import type { Cell } from "./data";

type Props = {
  values: Cell[];
  color: string;
  height: number;
  width?: number | string;
  fill?: boolean;
  threshold?: number;
  zero?: boolean;
};

/** The path of a small line: gaps lift the pen. */
export function sparkPath(
  values: Cell[],
  w: number,
  h: number,
  lo: number,
  hi: number,
): { line: string; area: string } {
  const n = Math.max(1, values.length - 1);
  let [line, area, start, last] = ["", "", 0, 0];
  let pen = false;
  for (const [i, v] of values.entries()) {
    if (v == null) {
      if (v === null && pen) {
        area += `L${last.toFixed(1)} ${h}L${start.toFixed(1)} ${h}Z`;
        pen = false;
      }
      continue;
    }
    const x = (i / n) * w;
    const y = h - ((v - lo) / (hi - lo || 1)) * h;
    const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
    line += `${pen ? "L" : "M"}${at}`;
    area += `${pen ? "L" : "M"}${at}`;
    if (!pen) start = x;
    last = x;
    pen = true;
  }
  if (pen) area += `L${last.toFixed(1)} ${h}L${start.toFixed(1)} ${h}Z`;
  return { line, area };
}

const grid = 300;

/** A small picture of a line, for lists and big numbers. */
export function Sparkline({ values, color, height, width = "100%", fill = true, threshold, zero = false }: Props) {
  const id = useId();
  const [few, reach] = [values.filter((v) => v != null).length < 2, extremes([values])];
  if (few || !reach) return <svg width={width} height={height} aria-hidden="true" />;
  const min = Math.min(reach[0], threshold ?? Number.POSITIVE_INFINITY, zero ? 0 : Number.POSITIVE_INFINITY);
  const max = Math.max(reach[1], threshold ?? Number.NEGATIVE_INFINITY);
  const pad = (max - min) * 0.06 || Math.abs(max) * 0.5 || 1;
  const [lo, hi] = [min - (zero ? 0 : pad), max + pad];
  const { line, area } = sparkPath(values, grid, height, lo, hi);
  const y = threshold === undefined ? 0 : height - ((threshold - lo) / (hi - lo)) * height;
  return (
    <svg
      key={id}
      width={width}
      height={height}
      viewBox={`0 0 ${grid} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      style={{ display: "block", maxHeight: "100%" }}
    >
      {fill && <path d={area} fill={color} opacity={0.13} />}
      <path
        d={line}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        vectorEffect="non-scaling-stroke"
        strokeLinejoin="round"
      />
      {threshold !== undefined && (
        <line
          x1={0}
          x2={grid}
          y1={y}
          y2={y}
          stroke="var(--tm-red)"
          strokeWidth={1.25}
          strokeDasharray="4 3"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
