import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { palette, withAlpha } from "../chart/palette";
import { useScheme } from "../chart/useScheme";
import { useSize } from "../chart/useSize";
import { clock, count, dayAndMonth, pointTime, value, whole } from "../lib/format";
import type { Window } from "../time/range";
import { type Heat, streamRows, strength, valueRows } from "./heatmap";
import { NoData } from "./NoData";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";

type At = { row: number; col: number };

/** Many streams at once: a row for each, or for each range of values, and time across. One hue; the stronger, the more. */
export function HeatmapPanel(props: PanelProps) {
  const { chart, lines, loaded } = props;
  const byValue = chart.attributes?.rows === "values";
  const heat = useMemo(
    () =>
      byValue
        ? valueRows(lines, { min: chart.min ?? null, max: chart.max ?? null, log: chart.use_log_yaxis === true })
        : streamRows(lines),
    [lines, byValue, chart.min, chart.max, chart.use_log_yaxis],
  );
  const [at, setAt] = useState<At | null>(null);
  if (lines.length === 0 || !loaded) return <NoData {...props} />;
  return (
    <div className={classes.heat}>
      <Cells
        heat={heat}
        window={loaded.window}
        title={chart.name || "Heatmap"}
        rangeLabel={props.rangeLabel}
        at={at}
        setAt={setAt}
      />
      <HeatFoot heat={heat} window={loaded.window} at={at} />
    </div>
  );
}

type CellsProps = {
  heat: Heat;
  window: Window;
  title: string;
  rangeLabel: string;
  at: At | null;
  setAt: (at: At | null) => void;
};

const moves: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function Cells({ heat, window: w, title, rangeLabel, at, setAt }: CellsProps) {
  const scheme = useScheme();
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(box);
  const columns = Math.max(1, Math.round((w.end - w.start) / w.step));
  const color = palette[0]?.[scheme] ?? "#2E73E0";
  useEffect(() => {
    if (canvas.current && width && height) draw(canvas.current, heat, columns, { width, height }, color);
  }, [heat, columns, width, height, color]);
  const clamp = (row: number, col: number): At => ({
    row: Math.min(heat.rows.length - 1, Math.max(0, row)),
    col: Math.min(columns - 1, Math.max(0, col)),
  });
  const point = (e: PointerEvent) => {
    const r = e.currentTarget.getBoundingClientRect();
    setAt(
      clamp(
        Math.floor(((e.clientY - r.top) / r.height) * heat.rows.length),
        Math.floor(((e.clientX - r.left) / r.width) * columns),
      ),
    );
  };
  const press = (e: KeyboardEvent) => {
    if (e.key === "Escape" && at) {
      e.stopPropagation();
      return setAt(null);
    }
    const by = moves[e.key];
    if (!by) return;
    e.preventDefault();
    setAt(at ? clamp(at.row + by[0], at.col + by[1]) : { row: 0, col: columns - 1 });
  };
  const [top, bottom] = [heat.rows[0]?.label, heat.rows.at(-1)?.label];
  return (
    <div className={classes.heatPlot}>
      <div className={classes.heatEnds} aria-hidden>
        <span className="mono cut">{top}</span>
        <span className="mono cut">{heat.rows.length > 1 ? bottom : ""}</span>
      </div>
      <div
        ref={box}
        className={classes.heatBox}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: cells are read by keys
        tabIndex={0}
        aria-label={`${title}, ${count(heat.total, "stream")}, ${rangeLabel.toLowerCase()}, ${
          heat.counts
            ? `most in one cell ${whole(heat.high)}`
            : `from ${value(heat.low, heat.unit)} to ${value(heat.high, heat.unit)}`
        }`}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
        onKeyDown={press}
        onBlur={() => setAt(null)}
      >
        <canvas ref={canvas} />
        {at && (
          <span
            className={classes.heatAt}
            style={{
              left: `${(100 * at.col) / columns}%`,
              top: `${(100 * at.row) / heat.rows.length}%`,
              width: `${100 / columns}%`,
              height: `${100 / heat.rows.length}%`,
            }}
          />
        )}
      </div>
      <div className={classes.heatTimes} aria-hidden>
        {ticksOf(w, width).map((t) => (
          <span key={t} style={{ left: `${(100 * (t - w.start)) / (w.end - w.start)}%` }}>
            {(w.end - w.start > 2 * 86_400 ? dayAndMonth : clock)(t)}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Times to write under the cells: as many as have room, on whole steps. */
function ticksOf(w: Window, width: number): number[] {
  const span = w.end - w.start;
  const most = Math.max(1, Math.floor(width / 84));
  const step =
    [300, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 7 * 86_400].find((s) => span / s < most + 1) ??
    30 * 86_400;
  // Half a label is none.
  const room = width ? (span * 20) / width : 0;
  const first = Math.ceil((w.start + room) / step) * step;
  return Array.from({ length: Math.max(0, Math.ceil((w.end - room - first) / step)) }, (_, i) => first + i * step);
}

function draw(
  el: HTMLCanvasElement,
  heat: Heat,
  columns: number,
  size: { width: number; height: number },
  color: string,
): void {
  const ratio = devicePixelRatio;
  el.width = size.width * ratio;
  el.height = size.height * ratio;
  const ctx = el.getContext("2d");
  if (!ctx) return;
  const [cw, ch] = [el.width / columns, el.height / heat.rows.length];
  // Hairlines between cells, where there is room for them.
  const gap = Math.min(cw, ch) > 5 * ratio ? ratio : 0;
  for (const [r, row] of heat.rows.entries())
    for (let c = 0; c < columns; c++) {
      const v = row.cells[c];
      if (v == null) continue;
      ctx.fillStyle = withAlpha(color, strength(v, heat));
      const [x, y] = [Math.floor(c * cw), Math.floor(r * ch)];
      ctx.fillRect(
        x,
        y,
        Math.max(1, Math.floor((c + 1) * cw) - x - gap),
        Math.max(1, Math.floor((r + 1) * ch) - y - gap),
      );
    }
}

function HeatFoot({ heat, window: w, at }: { heat: Heat; window: Window; at: At | null }) {
  const row = at && heat.rows[at.row];
  const v = row?.cells[at?.col ?? 0];
  const shown = (x: number) => (heat.counts ? whole(x) : value(x, heat.unit));
  const said = row &&
    at && [
      pointTime(w.start + at.col * w.step, w.step),
      row.label,
      v == null ? "nothing" : heat.counts ? count(v, "stream") : shown(v),
    ];
  return (
    <div className={classes.heatFoot}>
      <span className="num">{shown(heat.low)}</span>
      <span className={classes.ramp} aria-hidden />
      <span className="num">{shown(heat.high)}</span>
      <span className={`${classes.heatSaid} cut`} role="status">
        {said
          ? said.join(", ")
          : heat.rows.length < heat.total && !heat.counts
            ? `${whole(heat.rows.length)} of ${count(heat.total, "stream")}`
            : ""}
      </span>
    </div>
  );
}
