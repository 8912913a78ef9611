import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from "react";
import { distributionBy } from "../chart/kind";
import { palette, withAlpha } from "../chart/palette";
import { useScheme } from "../chart/useScheme";
import { useSize } from "../chart/useSize";
import { clock, count, dayAndMonth, pointTime, whole } from "../lib/format";
import type { Window } from "../time/range";
import { distributionRows, type Heat, rowAt, streamRows, strength, valueRows } from "./heatmap";
import { NoData } from "./NoData";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";

type At = { row: number; col: number };

/** The rows of a chart, by what it wants of them. */
function useHeat({ chart, lines, loaded }: PanelProps): Heat {
  const rows = chart.attributes?.rows;
  const { min = null, max = null, use_log_yaxis: log = false } = chart;
  return useMemo(() => {
    if (rows === "distribution" && loaded) return distributionRows(loaded.results, loaded.window, lines[0]?.unit ?? "");
    return rows === "values" ? valueRows(lines, { min, max, log }) : streamRows(lines);
  }, [lines, loaded, rows, min, max, log]);
}

/** Many streams at once: a row for each, or for each range of values, and time across. One hue; the stronger, the more. */
export function HeatmapPanel(props: PanelProps) {
  const { chart, lines, loaded } = props;
  const heat = useHeat(props);
  const [at, setAt] = useState<At | null>(null);
  if (lines.length === 0 || !loaded) return <NoData {...props} {...wordsOf(props)} />;
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
      {heat.sums && <Sums sums={heat.sums} />}
    </div>
  );
}

/** Why there is no distribution: a query was refused, or none is kept. */
function wordsOf({ chart, loaded }: PanelProps): { words?: string } {
  if (distributionBy(chart) === undefined) return {};
  const refused = loaded?.results.find((r) => r.error)?.error?.message;
  return { words: refused ? `Could not load: ${refused}` : "No distribution for these tags in this range" };
}

/** What the colours say over all of the time, for those who do not see them. */
const Sums = ({ sums }: { sums: NonNullable<Heat["sums"]> }) => (
  <div className="sr">
    <table>
      <caption>Values in each range</caption>
      <thead>
        <tr>
          <th scope="col">Range</th>
          <th scope="col">Values</th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(([range, n, share]) => (
          <tr key={range}>
            <th scope="row">{range}</th>
            <td>{n}</td>
            <td>{share}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

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
    setAt(clamp(rowAt(heat, (e.clientY - r.top) / r.height), Math.floor(((e.clientX - r.left) / r.width) * columns)));
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
  const pointed = at && heat.rows[at.row];
  return (
    <div className={classes.heatPlot}>
      <div className={classes.heatEnds} aria-hidden>
        {heat.ends.map((end, i) => (
          <span key={i} className="mono cut">
            {end}
          </span>
        ))}
      </div>
      <div
        ref={box}
        className={classes.heatBox}
        role="img"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: cells are read by keys
        tabIndex={0}
        aria-label={`${title}, ${heat.about}, ${rangeLabel.toLowerCase()}`}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
        onKeyDown={press}
        onBlur={() => setAt(null)}
      >
        <canvas ref={canvas} />
        {at && pointed && (
          <span
            className={classes.heatAt}
            style={{
              left: `${(100 * at.col) / columns}%`,
              top: `${100 * pointed.from}%`,
              width: `${100 / columns}%`,
              height: `${100 * (pointed.to - pointed.from)}%`,
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
  const cw = el.width / columns;
  const rows = heat.rows.map((row) => ({
    ...row,
    y: Math.floor(row.from * el.height),
    end: Math.floor(row.to * el.height),
  }));
  // Hairlines between cells, where there is room for them.
  const gap = Math.min(cw, ...rows.map((r) => r.end - r.y)) > 5 * ratio ? ratio : 0;
  for (const { cells, y, end } of rows)
    for (let c = 0; c < columns; c++) {
      const v = cells[c];
      if (v == null) continue;
      ctx.fillStyle = withAlpha(color, strength(v, heat));
      const x = Math.floor(c * cw);
      ctx.fillRect(x, y, Math.max(1, Math.floor((c + 1) * cw) - x - gap), Math.max(1, end - y - gap));
    }
}

function HeatFoot({ heat, window: w, at }: { heat: Heat; window: Window; at: At | null }) {
  const row = at && heat.rows[at.row];
  const said = row && at && [pointTime(w.start + at.col * w.step, w.step), row.label, heat.say(at.row, at.col)];
  return (
    <div className={classes.heatFoot}>
      <span className="num">{heat.shown(heat.low)}</span>
      <span className={classes.ramp} aria-hidden />
      <span className="num">{heat.shown(heat.high)}</span>
      <span className={`${classes.heatSaid} cut`} role="status">
        {said
          ? said.join(", ")
          : heat.left > 0
            ? `${whole(heat.rows.length)} of ${count(heat.rows.length + heat.left, "stream")}`
            : ""}
      </span>
    </div>
  );
}
