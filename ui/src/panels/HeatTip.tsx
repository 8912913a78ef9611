import { Link } from "@tanstack/react-router";
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import chart from "../chart/Chart.module.css";
import { colorOf } from "../chart/palette";
import readout from "../chart/Readout.module.css";
import { useScheme } from "../chart/useScheme";
import { count, pointTime } from "../lib/format";
import type { Search } from "../lib/search";
import type { Window } from "../time/range";
import { amount, columnsOf } from "./counts";
import { cellWords, type Spread } from "./distribution";
import type { At } from "./HeatCells";
import classes from "./Heatmap.module.css";
import type { HeatRow } from "./heatmap";

type Props = {
  rows: HeatRow[];
  spread: Spread;
  window: Window;
  at: At;
  /** Where it may be. */
  frame: RefObject<HTMLElement | null>;
  /** Where to look closer; only said of a cell that is held. */
  explore?: Search | undefined;
};

/** What is in a step of a distribution, beside the cell that is pointed at. */
export function HeatTip({ rows, spread, window: w, at, frame, explore }: Props) {
  const el = useRef<HTMLDivElement>(null);
  const link = useRef<HTMLAnchorElement>(null);
  const scheme = useScheme();
  const row = spread.cells ? rows[at.row] : undefined;
  useLayoutEffect(() => {
    if (el.current && frame.current) place(el.current, frame.current, at.col / columnsOf(w), row?.from ?? 0);
  });
  const held = explore !== undefined;
  useEffect(() => {
    if (held) link.current?.focus({ preventScroll: true });
  }, [held]);
  return (
    <div ref={el} className={`${readout.readout} ${classes.tip}`} data-held={held || undefined} aria-hidden={!held}>
      <div className={readout.readoutHead}>
        <span>{pointTime(w.start + at.col * w.step, w.step)}</span>
        <span>{count(spread.totals[at.col] ?? 0, "value")}</span>
      </div>
      <Histogram rows={rows} spread={spread} at={at} />
      {row && (
        <div className={classes.cell}>
          <span>{row.label}</span>
          <b className="num">{cellWords(spread, at.row, at.col)}</b>
        </div>
      )}
      {spread.percentiles.map((p) => (
        <div key={p.key} className={readout.readoutRow}>
          <span className={chart.swatch} style={{ background: colorOf(p.paint, scheme) }} />
          <span>{p.label}</span>
          <span>{amount(p.values[at.col], spread.unit)}</span>
        </div>
      ))}
      {explore && (
        <Link ref={link} className={classes.explore} to="/explore" search={explore as never}>
          Show these in Explore
        </Link>
      )}
    </div>
  );
}

/** How the values of one step are spread, from the lowest to the highest. */
function Histogram({ rows, spread, at }: Pick<Props, "rows" | "spread" | "at">) {
  const counts = spread.counts.map((c) => c[at.col] ?? 0);
  const most = Math.max(1, ...counts);
  return (
    <div className={classes.histogram}>
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden>
        {rows.map((r, i) => (
          <rect
            key={r.label}
            data-at={(spread.cells && i === at.row) || undefined}
            x={100 * (1 - r.to)}
            width={100 * (r.to - r.from)}
            y={40 - (40 * (counts[i] ?? 0)) / most}
            height={(40 * (counts[i] ?? 0)) / most}
          />
        ))}
      </svg>
      <div>
        <span>{amount(spread.axis.low, spread.unit)}</span>
        <span>{amount(spread.axis.high, spread.unit)}</span>
      </div>
    </div>
  );
}

const beside = 14;

/** Beside the step, on the side with room, and within the frame; without its histogram where that is too low for it. */
function place(el: HTMLElement, frame: HTMLElement, part: number, from: number): void {
  const box = frame.querySelector<HTMLElement>('[role="img"]');
  if (!box) return;
  delete el.dataset.low;
  if (el.offsetHeight > frame.clientHeight) el.dataset.low = "true";
  const [outer, inner] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
  const x = inner.left - outer.left + part * inner.width;
  const right = x + 2 * beside;
  const fits = right + el.offsetWidth <= frame.clientWidth;
  const left = fits ? right : x - beside - el.offsetWidth;
  const top = inner.top - outer.top + from * inner.height - el.offsetHeight / 2;
  el.style.left = `${Math.max(0, Math.min(left, frame.clientWidth - el.offsetWidth))}px`;
  el.style.top = `${Math.max(0, Math.min(top, frame.clientHeight - el.offsetHeight))}px`;
}
