import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useMemo, useState } from "react";
import { conditionStream } from "../../api/alerts";
import { query, streamQueries } from "../../api/query";
import type { ChartDraft, Condition } from "../../api/types";
import type { Backtest } from "../../api/types.gen";
import { Chart, type Handle } from "../../chart/Chart";
import { useLines } from "../../chart/ChartView";
import type { Line } from "../../chart/data";
import { Legend } from "../../chart/Legend";
import { palette } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { isCompared } from "../../lib/against";
import { type Interval, together, union, violated } from "../../lib/backtest";
import { bandText, type Expected, edgeOf, narrowest, outside, widened, widest } from "../../lib/band";
import { resolutionFor, type Window } from "../../time/range";
import type { Zoom } from "./Backtest";
import classes from "./Backtest.module.css";
import { BacktestStrips } from "./BacktestStrips";
import { expectedLines } from "./expected";

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
  const expected = useExpected(data?.conditions[place]?.expected, c, dragged);
  const drawn = useDrawn(lines, expected, unit, window);
  const level = c.type !== "absent" && !isCompared(c);
  const marks = useMarks(c, place, data, lines, window, dragged);
  const drop = (v: number) => {
    setDragged(undefined);
    onThreshold(v);
  };
  const handles = bandHandles(expected, c, window, dragged ?? c.threshold ?? 0, setDragged, drop);
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
          {handles.length > 0 && <span className={classes.hint}>drag the edge of the band to change its width</span>}
          {isCompared(c) && <span className={classes.hint}>grey: what it is compared with</span>}
        </span>
      </header>
      <div className={classes.chart} data-grip={level || handles.length > 0 || undefined}>
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
            handles={handles}
            onZoom={(start, end) => onZoom({ start: Math.floor(start), end: Math.ceil(end) })}
            {...(level && {
              threshold: {
                value: dragged ?? c.threshold ?? 0,
                side: c.type === "below" ? ("below" as const) : ("above" as const),
                unit,
                at,
                onDrag: setDragged,
                onDrop: drop,
              },
            })}
          />
        )}
      </div>
      {data && <BacktestStrips data={data} place={place} marks={marks.own} fires={marks.fires} window={window} />}
    </>
  );
}

/** What it is compared with: a band that is being dragged, as wide as it is by now. */
function useExpected(e: Expected | undefined, c: Condition, dragged: number | undefined): Expected | undefined {
  const least = c.against?.least ?? 0;
  return useMemo(() => (e?.spread && dragged !== undefined ? widened(e, dragged, least) : e), [e, dragged, least]);
}

/** The edges of a band that can be taken hold of. */
function bandHandles(
  e: Expected | undefined,
  c: Condition,
  w: Window,
  spreads: number,
  onDrag: (v: number) => void,
  onDrop: (v: number) => void,
): Handle[] {
  const edge = c.against?.kind === "band" ? edgeOf(e, c, w.end) : undefined;
  return (edge?.sides ?? []).map((side) => ({
    label: `Width of the band, ${side > 0 ? "upper" : "lower"} edge`,
    text: bandText(spreads),
    value: spreads,
    at: edge?.at(side, spreads) ?? 0,
    min: narrowest,
    max: widest,
    step: 0.1,
    read: (v) => edge?.read(side, v) ?? spreads,
    onDrag,
    onDrop,
  }));
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
    const own =
      dragged === undefined || !lines ? undefined : held(c, data?.conditions[place]?.expected, lines, window, dragged);
    if (own) {
      return { own, fires: together([own, ...all.filter((_, i) => i !== place)]) };
    }
    if (!data) return { own: [], fires: [] };
    const fires = data.incidents.map((i): Interval => [i.triggered_at, i.cleared_at || data.end]);
    return { own: union((all[place] ?? []).map(([a, b]): Interval => [a, b])), fires };
  }, [c, place, data, lines, window, dragged]);
}

/** When the condition holds with what it is dragged to; nothing where the points do not tell: a band is that of one line. */
function held(
  c: Condition,
  e: Expected | undefined,
  lines: Line[],
  window: Window,
  dragged: number,
): Interval[] | undefined {
  if (!isCompared(c)) return violated(lines, window, c, dragged);
  const [only] = lines;
  return e && only && lines.length === 1 ? outside(only.values, window, c, e, dragged) : undefined;
}
