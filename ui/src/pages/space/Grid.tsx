import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from "react";
import type { Chart } from "../../api/types";
import type { GridPosition } from "../../api/ui.gen";
import { kindOf } from "../../chart/kind";
import { cells, clamp, gap, inOrder, put, rowHeight, rows, same, spoken } from "./layout";
import classes from "./Space.module.css";

type Handle = { onPointerDown: (e: PointerEvent) => void; onKeyDown: (e: KeyboardEvent) => void };
export type GridProps = {
  charts: Chart[];
  boxes: GridPosition[];
  editable: boolean;
  editing: boolean;
  /** Rows of a wall display are taller. */
  row?: number;
  onChange: (boxes: GridPosition[]) => void;
  /** A chart was dropped on another section. */
  onLeave?: (chart: number, section: number) => void;
  children: (chart: Chart, handle: Handle | undefined) => ReactNode;
};
type Drag = {
  chart: number;
  mode: "move" | "resize";
  x: number;
  y: number;
  dx: number;
  dy: number;
  start: GridPosition;
  moved: boolean;
};

const threshold = 4;

/** Twelve columns. Titles are dragged, corners resize, and keys do both. */
export function Grid({ charts, boxes, editable, editing, row = rowHeight, onChange, onLeave, children }: GridProps) {
  const grid = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const [draft, setDraft] = useState<GridPosition[] | null>(null);
  const [grabbed, setGrabbed] = useState<number | null>(null);
  const [said, say] = useState("");
  const shown = draft ?? boxes;
  const latest = useRef({ boxes, draft, drag });
  latest.current = { boxes, draft, drag };
  const typeOf = (id: number) => {
    const chart = charts.find((c) => c.id === id);
    return chart ? kindOf(chart) : "line";
  };
  const nameOf = (id: number) => charts.find((c) => c.id === id)?.name || "Chart";

  function begin(mode: Drag["mode"], box: GridPosition) {
    return (e: PointerEvent) => {
      if (e.button !== 0 || !editable || matchMedia("(max-width: 767px)").matches) return;
      if (mode === "resize") e.preventDefault();
      setDrag({ chart: box.chart, mode, x: e.clientX, y: e.clientY, dx: 0, dy: 0, start: box, moved: false });
    };
  }
  const dragging = drag !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the listeners read what is latest
  useEffect(() => {
    if (!dragging) return;
    const move = (e: globalThis.PointerEvent) => {
      const d = latest.current.drag;
      if (!d) return;
      const [dx, dy] = [e.clientX - d.x, e.clientY - d.y];
      if (!d.moved && Math.hypot(dx, dy) < threshold) return;
      const across = cells(dx, grid.current?.clientWidth ?? 1);
      const to =
        d.mode === "move"
          ? { ...d.start, col: d.start.col + across, row: d.start.row + rows(dy) }
          : { ...d.start, width: d.start.width + across, height: d.start.height + rows(dy) };
      setDrag({ ...d, dx, dy, moved: true });
      setDraft(put(latest.current.boxes, d.chart, clamp(to, typeOf(d.chart))));
    };
    const up = (e: globalThis.PointerEvent) => {
      const { draft: made, boxes: was, drag: d } = latest.current;
      const home = grid.current?.closest("[data-section]");
      const over = document.elementFromPoint(e.clientX, e.clientY)?.closest<HTMLElement>("[data-section]");
      if (over && home !== over && d?.moved && d.mode === "move") onLeave?.(d.chart, Number(over.dataset.section));
      else if (made && d?.moved && !same(made, was)) onChange(made);
      setDrag(null);
      setDraft(null);
    };
    const esc = (e: globalThis.KeyboardEvent) => {
      if (e.key !== "Escape") return;
      setDrag(null);
      setDraft(null);
    };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("keydown", esc);
    return () => {
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("keydown", esc);
    };
  }, [dragging]);

  function key(box: GridPosition) {
    return (e: KeyboardEvent) => {
      if (!editable || e.target !== e.currentTarget) return;
      const held = grabbed === box.chart;
      if (e.key === "Enter" || e.key === " ") {
        e.preventDefault();
        if (held && draft && !same(draft, boxes)) onChange(draft);
        setDraft(held ? null : boxes);
        setGrabbed(held ? null : box.chart);
        say(
          held
            ? `${nameOf(box.chart)} dropped`
            : `${nameOf(box.chart)} grabbed. Arrows move, Shift and arrows resize, Enter drops.`,
        );
        return;
      }
      if (!held) return;
      if (e.key === "Escape") {
        e.stopPropagation();
        setDraft(null);
        setGrabbed(null);
        return say("Cancelled");
      }
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
      if (!step) return;
      e.preventDefault();
      e.stopPropagation();
      const now = shown.find((b) => b.chart === box.chart) ?? box;
      const [x = 0, y = 0] = step;
      const to = clamp(
        e.shiftKey
          ? { ...now, width: now.width + x, height: now.height + y }
          : { ...now, col: now.col + x, row: now.row + y },
        typeOf(box.chart),
      );
      const made = put(shown, box.chart, to);
      setDraft(made);
      say(spoken(nameOf(box.chart), made.find((b) => b.chart === box.chart) ?? to));
    };
  }

  return (
    <>
      <div
        ref={grid}
        className={classes.grid}
        data-editing={editing || dragging || grabbed !== null || undefined}
        style={{ gap, gridAutoRows: row }}
      >
        {inOrder(shown).map((box) => {
          const chart = charts.find((c) => c.id === box.chart);
          if (!chart) return null;
          const mine = drag?.chart === box.chart && drag.moved;
          return (
            <div
              key={box.chart}
              className={classes.cell}
              data-type={kindOf(chart)}
              data-held={mine || grabbed === box.chart || undefined}
              style={{
                gridColumn: `${box.col + 1} / span ${box.width}`,
                gridRow: `${box.row + 1} / span ${box.height}`,
              }}
            >
              <div
                className={classes.carried}
                style={mine && drag.mode === "move" ? carried(drag, box, grid.current?.clientWidth ?? 1) : undefined}
              >
                {children(chart, editable ? { onPointerDown: begin("move", box), onKeyDown: key(box) } : undefined)}
                {editable && <span className={classes.corner} onPointerDown={begin("resize", box)} aria-hidden />}
              </div>
            </div>
          );
        })}
      </div>
      <div className="sr" aria-live="assertive">
        {said}
      </div>
    </>
  );
}

/** The held card follows the pointer while its slot jumps from place to place. */
function carried(d: Drag, slot: GridPosition, width: number): React.CSSProperties {
  const column = (width + gap) / 12;
  const x = d.dx - (slot.col - d.start.col) * column;
  const y = d.dy - (slot.row - d.start.row) * (rowHeight + gap);
  return { transform: `translate(${x}px, ${y}px)`, zIndex: 30, position: "relative", pointerEvents: "none" };
}
