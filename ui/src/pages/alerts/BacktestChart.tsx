import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { conditionStream } from "../../api/alerts";
import { query, streamQueries } from "../../api/query";
import type { ChartDraft, Condition } from "../../api/types";
import type { Backtest } from "../../api/types.gen";
import { Chart } from "../../chart/Chart";
import { useLines } from "../../chart/ChartView";
import type { Line } from "../../chart/data";
import { Legend } from "../../chart/Legend";
import { palette } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { isCompared } from "../../lib/against";
import { type Interval, together, union, violated } from "../../lib/backtest";
import { resolutionFor, type Window } from "../../time/range";
import type { Zoom } from "./Backtest";
import classes from "./Backtest.module.css";
import { BacktestStrips } from "./BacktestStrips";
import { type Expected, expectedLines } from "./expected";

type Props = {
  condition: Condition;
  /** Which of the conditions it is. */
  place: number;
  unit: string;
  seconds: number;
  data: Backtest | undefined;
  zoom: Zoom | undefined;
  onZoom: (z: Zoom) => void;
  onThreshold: (v: number) => void;
  back: ReactNode;
};

/** The time that the chart shows: the past, or a part of it. */
function useWindow(seconds: number, until: number | undefined, zoom: Zoom | undefined): Window {
  const span = zoom ? zoom.end - zoom.start : seconds;
  const step = resolutionFor(span);
  const end = Math.ceil((zoom?.end ?? until ?? Date.now() / 1000) / step) * step;
  return useMemo(() => ({ start: end - Math.ceil(span / step) * step, end, step }), [end, span, step]);
}

function usePast(c: Condition, unit: string, window: Window): Line[] | undefined {
  const streams = useMemo(() => [conditionStream(c, unit)], [c, unit]);
  const chart = useMemo<ChartDraft>(() => ({ name: c.metric_name, type: "line", streams }), [c.metric_name, streams]);
  // What is drawn does not depend on the threshold: dragging asks for nothing.
  const { data } = useQuery({
    queryKey: ["backtest", streams, window],
    queryFn: async ({ signal }) => ({
      window,
      took: 0,
      ...(await query({ ...window, resolution: window.step, queries: streamQueries(streams), dynamic: [] }, signal)),
    }),
    placeholderData: (old) => old,
    staleTime: 60_000,
  });
  const lines = useLines(chart, data);
  return data ? lines : undefined;
}

/** "max by region" */
function about(c: Condition): string {
  const groups = c.tags.filter((t) => t.grouped).map((t) => t.name);
  const how = conditionStream(c, "").summary_function ?? "average";
  return groups.length ? `${how} by ${groups.join(", ")}` : how;
}

/** The values of the past with the threshold on them, which is dragged; what it would have meant follows at once. */
export function BacktestChart({ condition: c, place, unit, seconds, data, zoom, onZoom, onThreshold, back }: Props) {
  const scheme = useScheme();
  const [dragged, setDragged] = useState<number>();
  const window = useWindow(seconds, data?.end, zoom);
  const lines = usePast(c, unit, window);
  const drawn = useDrawn(lines, data?.conditions[place]?.expected, unit, window);
  const level = c.type !== "absent" && !isCompared(c);
  const marks = useMarks(c, place, data, lines, window, dragged);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const at = useMemo(() => marks.fires.map(([start]) => start), [marks.fires]);
  const incidents = useMemo(() => marks.fires.map(([start, end]) => ({ start, end })), [marks.fires]);
  return (
    <>
      <header className={classes.pastHead}>
        <i className={classes.dot} style={{ background: palette[place % palette.length]?.[scheme] }} aria-hidden />
        <h2 className="mono cut">{c.metric_name}</h2>
        <span className="t3">{about(c)}</span>
        <span className={classes.pastTools}>
          {back}
          {lines && lines.length <= 4 && (
            <Legend lines={lines} isolated={isolated} onIsolate={setIsolated} onFocus={setFocused} />
          )}
          {level && <span className={classes.hint}>drag the line to change the threshold</span>}
          {isCompared(c) && <span className={classes.hint}>grey: what it is compared with</span>}
        </span>
      </header>
      <div className={classes.chart} data-grip={level || undefined}>
        {lines && (
          <Chart
            title={c.metric_name}
            rangeLabel="the past"
            kind="line"
            lines={drawn}
            window={window}
            incidents={incidents}
            isolated={isolated}
            focused={focused}
            onZoom={(start, end) => onZoom({ start: Math.floor(start), end: Math.ceil(end) })}
            {...(level && {
              threshold: {
                value: dragged ?? c.threshold ?? 0,
                side: c.type === "below" ? ("below" as const) : ("above" as const),
                unit,
                at,
                onDrag: setDragged,
                onDrop: (v: number) => {
                  setDragged(undefined);
                  onThreshold(v);
                },
              },
            })}
          />
        )}
      </div>
      {data && <BacktestStrips data={data} place={place} marks={marks.own} fires={marks.fires} window={window} />}
    </>
  );
}

/** The lines of the past, and under them what they are compared with. */
function useDrawn(lines: Line[] | undefined, expected: Expected | undefined, unit: string, window: Window): Line[] {
  return useMemo(() => [...expectedLines(expected, unit, window), ...(lines ?? [])], [lines, expected, unit, window]);
}

type Marks = { own: Interval[]; fires: Interval[] };

/** When the condition held and when the alert fired: by the server, or while dragging by the points there are. */
function useMarks(
  c: Condition,
  place: number,
  data: Backtest | undefined,
  lines: Line[] | undefined,
  window: Window,
  dragged: number | undefined,
): Marks {
  return useMemo(() => {
    const all = data?.conditions.map((o) => o.intervals) ?? [];
    if (dragged !== undefined && lines) {
      const own = violated(lines, window, c, dragged);
      return { own, fires: together([own, ...all.filter((_, i) => i !== place)]) };
    }
    if (!data) return { own: [], fires: [] };
    const fires = data.incidents.map((i): Interval => [i.triggered_at, i.cleared_at || data.end]);
    return { own: union((all[place] ?? []).map(([a, b]): Interval => [a, b])), fires };
  }, [c, place, data, lines, window, dragged]);
}
