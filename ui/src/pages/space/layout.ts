import type { Chart, ChartKind } from "../../api/types";
import type { GridPosition } from "../../api/ui.gen";
import { kindOf } from "../../chart/kind";

export const columns = 12;
export const rowHeight = 56;
export const gap = 12;

export type Place = { col: number; row: number; width: number; height: number; section?: number };

export const defaultSize = (kind: ChartKind) =>
  kind === "bignumber"
    ? { width: 3, height: 2 }
    : { width: kind === "gauge" ? 3 : kind === "text" ? 4 : 6, height: kind === "gauge" ? 4 : 5 };
export const smallest = (kind: ChartKind) =>
  kind === "bignumber" || kind === "text" ? { width: 2, height: 2 } : { width: kind === "gauge" ? 2 : 3, height: 3 };

/** The number of the section that a box is in; each has a grid of its own. */
export const sectionOf = (p: { section?: number }) => p.section ?? 0;

const overlap = (a: Place, b: Place) =>
  sectionOf(a) === sectionOf(b) &&
  a.col < b.col + b.width &&
  b.col < a.col + a.width &&
  a.row < b.row + b.height &&
  b.row < a.row + a.height;

/** Keeps a box inside the grid and not smaller than its type allows. */
export function clamp(p: Place, kind: ChartKind): Place {
  const least = smallest(kind);
  const width = Math.min(columns, Math.max(least.width, Math.round(p.width)));
  const height = Math.min(40, Math.max(least.height, Math.round(p.height)));
  return {
    width,
    height,
    col: Math.min(columns - width, Math.max(0, Math.round(p.col))),
    row: Math.max(0, Math.round(p.row)),
  };
}

/** Lets every box rise as far as it can; the held one stays where it is put. */
export function settle(boxes: GridPosition[], held?: number): GridPosition[] {
  const sorted = [...boxes].sort(
    (a, b) => a.row - b.row || (a.chart === held ? -1 : b.chart === held ? 1 : 0) || a.col - b.col,
  );
  const placed: GridPosition[] = [];
  const fixed = sorted.find((b) => b.chart === held);
  for (const b of sorted) {
    const others = fixed && b !== fixed ? [...placed.filter((p) => p.chart !== fixed.chart), fixed] : placed;
    let row = b.row;
    while (row > 0 && !others.some((o) => overlap({ ...b, row: row - 1 }, o))) row--;
    while (others.some((o) => overlap({ ...b, row }, o))) row++;
    placed.push({ ...b, row: b === fixed ? b.row : row });
  }
  return placed;
}

/** Puts one box somewhere; those in its way flow down, then everything rises. */
export function put(boxes: GridPosition[], chart: number, to: Place): GridPosition[] {
  const moved = boxes.map((b) => (b.chart === chart ? { ...b, ...to } : b));
  const flowed = settle(moved, chart);
  return settle(flowed);
}

type Placed = Pick<Chart, "id" | "type" | "attributes">;

/** The boxes of all charts: as saved, and below them the charts that have none yet. */
export function placed(saved: GridPosition[], charts: Placed[]): GridPosition[] {
  const out = saved.filter((b) => charts.some((c) => c.id === b.chart));
  for (const c of charts) {
    if (out.some((b) => b.chart === c.id)) continue;
    out.push({ chart: c.id, ...freePlace(out, defaultSize(kindOf(c))) });
  }
  return settle(out);
}

/** Likewise, each as large as what is shown in it needs. */
export function arrange(saved: GridPosition[], charts: Placed[]): GridPosition[] {
  const sized = saved.map((b) => {
    const chart = charts.find((c) => c.id === b.chart);
    return { ...b, ...clamp(b, chart ? kindOf(chart) : "line") };
  });
  return placed(sized, charts);
}

/** The first place from the top that is free. */
export function freePlace(boxes: GridPosition[], size: { width: number; height: number }): Place {
  for (let row = 0; ; row++) {
    for (let col = 0; col + size.width <= columns; col++) {
      const p = { col, row, ...size };
      if (!boxes.some((b) => overlap(b, p))) return p;
    }
  }
}

/** Reading order, for one column. */
export const inOrder = (boxes: GridPosition[]) =>
  [...boxes].sort((a, b) => sectionOf(a) - sectionOf(b) || a.row - b.row || a.col - b.col);

/** "Latency, column 4, row 2, 6 wide" */
export const spoken = (name: string, p: Place) =>
  `${name}, column ${p.col + 1}, row ${p.row + 1}, ${p.width} wide, ${p.height} high`;

/** Pixels to cells. */
export const cells = (pixels: number, width: number) => pixels / ((width + gap) / columns);
export const rows = (pixels: number) => pixels / (rowHeight + gap);

export const same = (a: GridPosition[], b: GridPosition[]) => JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
