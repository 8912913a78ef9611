import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type uPlot from "uplot";
import { among } from "../lib/format";
import { viewer } from "../lib/viewer";
import type { Window } from "../time/range";
import chart from "./Chart.module.css";
import { nearest, reading } from "./crosshair";
import { type Line, spreadOf } from "./data";
import { colorOf, hoverPaint } from "./palette";
import classes from "./Readout.module.css";
import { readout, readoutTitle } from "./readoutRows";
import { useScheme } from "./useScheme";

export type ReadoutHandle = { show: (u: uPlot, idx: number | null, visible: boolean) => void };
type Props = { ref: Ref<ReadoutHandle>; lines: Line[]; window: Window; square: boolean };

/** The floating readout. It is written by hand: no React state per mouse move. */
export function Readout({ ref, lines, window: w, square }: Props) {
  const el = useRef<HTMLDivElement>(null);
  const live = useRef<HTMLDivElement>(null);
  const said = useRef(0);
  const shown = useRef("");
  const scheme = useScheme();
  useImperativeHandle(ref, () => ({
    show(u, idx, visible) {
      const node = el.current;
      if (!node) return;
      if (!visible || idx === null) {
        if (!node.hidden) node.hidden = true;
        return;
      }
      const who = viewer();
      const { at } = nearest(u, idx, lines);
      place(node, u);
      // A mouse moves many times within a point.
      const what = `${idx} ${at}`;
      if (!node.hidden && what === shown.current) return;
      shown.current = what;
      const { rows, more } = readout(lines, idx, lines[at]?.key);
      const [title, step] = readoutTitle(w.start + idx * w.step, w.step, who);
      node.replaceChildren(head(title, step));
      for (const r of rows) {
        const row = div(`${classes.readoutRow} ${r.nearest && rows.length > 1 ? classes.nearest : ""}`);
        const swatch = div(square ? chart.square : chart.swatch);
        swatch.style.background = colorOf(r.nearest && r.line.muted ? hoverPaint(at) : r.line.paint, scheme);
        row.append(
          swatch,
          div(r.line.mono ? "mono" : "", r.line.label),
          div("", among(r.value, spreadOf(r.line), r.line.unit, who)),
        );
        node.append(row);
      }
      if (more > 0) node.append(div(classes.more, `+ ${more} more`));
      node.hidden = rows.length === 0;
      const now = Date.now();
      if (live.current && now - said.current > 500) {
        said.current = now;
        live.current.textContent = `${title}: ${rows.map((r) => `${r.line.label} ${among(r.value, spreadOf(r.line), r.line.unit, who)}`).join(", ")}`;
      }
    },
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: other lines are written anew at the next move
  useEffect(() => {
    shown.current = "";
  }, [lines, w, scheme]);
  useEffect(() => {
    if (el.current) el.current.hidden = true;
  }, []);
  return (
    <>
      <div ref={el} className={classes.readout} hidden aria-hidden />
      <div ref={live} className="sr" aria-live="polite" />
    </>
  );
}

function div(className: string | undefined, text = ""): HTMLDivElement {
  const d = document.createElement("div");
  d.className = className ?? "";
  d.textContent = text;
  return d;
}

function head(title: string, step: string): HTMLDivElement {
  const h = div(classes.readoutHead);
  h.append(div("", title), div("", step));
  return h;
}

const screenEdge = 8;

const besideCursor = 14;
const widest = 340;

/**
 * Beside the crosshair, on the side with room, and within the chart. Fingers
 * hide what is under them: for those it stays above the chart. Nothing is
 * measured, or the page would be laid out at every move; 100% is the readout.
 */
function place(node: HTMLElement, u: uPlot): void {
  const touched = reading.get(u) === "touch";
  if (node.dataset.above !== String(touched)) node.dataset.above = String(touched);
  if (touched) {
    // Where the chart is at the top of the screen, the readout lies over its upper end.
    const highest = screenEdge - u.root.getBoundingClientRect().top;
    node.style.transform = `translateY(max(-100% - 4px, ${highest}px))`;
    return;
  }
  const left = (u.cursor.left ?? 0) + u.bbox.left / devicePixelRatio;
  const fits = left + besideCursor + widest <= u.width || left < u.width / 2;
  const x = fits ? `min(${left + besideCursor}px, ${u.width}px - 100%)` : `max(0px, ${left - besideCursor}px - 100%)`;
  node.style.transform = `translate(${x}, max(0px, min(${(u.cursor.top ?? 0) - 20}px, ${u.height}px - 100%)))`;
}
