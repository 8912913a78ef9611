import { type KeyboardEvent, type RefObject, useRef } from "react";
import type uPlot from "uplot";
import { point, reading } from "./crosshair";
import type { Line } from "./data";
import type { LinesProps } from "./Lines";

type State = { drawn: Line[] };

/** Keys of a focused chart: arrows read, Enter opens, z then arrows then Enter zooms, Esc lets go. */
export function useKeyboard(plot: RefObject<uPlot | null>, props: RefObject<LinesProps>, state: RefObject<State>) {
  const at = useRef<number | null>(null);
  const zoomFrom = useRef<number | null>(null);
  const stream = useRef(0);

  function move(u: uPlot, idx: number): void {
    const xs = u.data[0];
    at.current = Math.min(xs.length - 1, Math.max(0, idx));
    const left = u.valToPos(xs[at.current] ?? 0, "x");
    const line = state.current.drawn[stream.current];
    const y = u.data[stream.current + 1]?.[at.current];
    const top = y == null ? u.over.clientHeight / 2 : u.valToPos(y, line?.axis === 1 ? "y2" : "y");
    reading.set(u, "keys");
    point(u, left, top);
    if (zoomFrom.current !== null) {
      const from = u.valToPos(xs[zoomFrom.current] ?? 0, "x");
      u.setSelect(
        { left: Math.min(from, left), width: Math.abs(left - from), top: 0, height: u.over.clientHeight },
        false,
      );
    }
  }
  function reset(u: uPlot): void {
    at.current = null;
    zoomFrom.current = null;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    reading.delete(u);
    point(u, -10, -10);
  }
  function enter(u: uPlot): void {
    const [from, to] = [zoomFrom.current, at.current];
    if (from === null || to === null || from === to) return props.current.onOpen?.();
    const xs = u.data[0];
    reset(u);
    (props.current.onBrush ?? props.current.onZoom)?.(xs[Math.min(from, to)] ?? 0, xs[Math.max(from, to)] ?? 0);
  }

  const press = (e: KeyboardEvent<HTMLElement>) => {
    const u = plot.current;
    if (!u || e.target !== e.currentTarget || e.metaKey || e.ctrlKey) return;
    const n = u.data[0].length;
    const here = at.current ?? n - 1;
    const keys: Record<string, () => void> = {
      ArrowLeft: () => move(u, here - (e.shiftKey ? 10 : 1)),
      ArrowRight: () => move(u, here + (e.shiftKey ? 10 : 1)),
      ArrowUp: () => {
        stream.current = (stream.current + 1) % Math.max(1, state.current.drawn.length);
        move(u, here);
      },
      ArrowDown: () => {
        const len = Math.max(1, state.current.drawn.length);
        stream.current = (stream.current + len - 1) % len;
        move(u, here);
      },
      Home: () => move(u, 0),
      End: () => move(u, n - 1),
      Enter: () => enter(u),
      z: () => {
        zoomFrom.current = here;
        move(u, here);
      },
      Escape: () => reset(u),
    };
    const act = keys[e.key.length === 1 ? e.key.toLowerCase() : e.key];
    if (!act || (e.key === "Escape" && at.current === null)) return;
    e.preventDefault();
    e.stopPropagation();
    act();
  };
  /** The crosshair goes with the focus that moved it. */
  const leave = () => {
    if (plot.current && at.current !== null) reset(plot.current);
  };
  return { press, leave };
}
