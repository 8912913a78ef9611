import { lazy, Suspense, useMemo, useRef } from "react";
import { usePastSeries } from "../../api/past";
import type { Dynamic } from "../../api/query";
import { type Ask, askStreams, type Loaded, useSeries } from "../../api/series";
import type { Chart } from "../../api/types";
import { ChartView, type ChartViewProps } from "../../chart/ChartView";
import { distributionOf, hasSeries, kindOf, notCompared, summarizeOf, windowFor } from "../../chart/kind";
import type { Mark } from "../../chart/Marks";
import { filtersIn } from "../../lib/filters";
import { useTime } from "../../time/TimeContext";

const LastData = lazy(() => import("../../chart/LastData").then((m) => ({ default: m.LastData })));
const week = 7 * 86400;

type Props = {
  chart: Chart;
  dynamic: Dynamic[];
  events?: Mark[];
  enabled: boolean;
  large?: boolean;
  legend?: boolean;
  /** How to ask when not with a session. */
  ask?: Ask;
  onOpen?: () => void;
  onEvent?: (e: Mark, at: DOMRect) => void;
  onAnnotate?: (time: number, until?: number) => void;
  onFilter?: ChartViewProps["onFilter"];
};

/** One chart of a space with its data. */
export function SpaceChart(props: Props) {
  const { chart, dynamic, events, large, legend = true, ask, onOpen, onEvent, onAnnotate, onFilter } = props;
  const kind = kindOf(chart);
  const enabled = props.enabled && hasSeries(kind);
  const page = useTime();
  const time = useMemo(() => ({ ...page, window: windowFor(kind, page.window) }), [page, kind]);
  const distribution = distributionOf(chart);
  const summarize = summarizeOf(chart);
  const own = useMemo(
    () => ask ?? askStreams(chart.streams, dynamic, distributionOf(chart), summarizeOf(chart)),
    [ask, chart, dynamic],
  );
  const key = [chart.id, chart.streams, dynamic, distribution, summarize];
  const series = useSeries({
    key,
    ask: own,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled,
  });
  // What could not be loaded leaves what was there before in sight.
  const kept = useRef<Loaded>(undefined);
  kept.current = series.data ?? kept.current;
  // A week ago, once an hour: it does not change while one looks.
  const then = useMemo(() => {
    const by = Math.floor(time.window.start / 3600) * 3600 - week;
    return { start: by, end: by + (time.window.end - time.window.start), step: Math.max(time.window.step, 300) };
  }, [time.window]);
  const past = useSeries({
    key: [...key, "week", then.start],
    ask: own,
    range: time.range,
    window: then,
    live: false,
    tick: 0,
    enabled: enabled && kind === "bignumber" && time.canBeLive && !time.compare,
  });
  const compared = usePastSeries(key, own, time, enabled && !notCompared(kind));
  return (
    <ChartView
      chart={chart}
      past={compared}
      loaded={series.data ?? (series.isError ? kept.current : undefined)}
      lastWeek={time.compare ? undefined : past.data}
      {...(events && { events })}
      incomplete={time.canBeLive}
      error={series.data ? undefined : series.error}
      retry={() => void series.refetch()}
      wait={series.wait}
      faded={series.wait.stopped}
      rangeLabel={time.label}
      syncKey="page"
      ask={own}
      shared={ask !== undefined}
      {...(!ask && {
        explore: filtersIn(dynamic),
        empty: (
          <Suspense fallback={null}>
            <LastData streams={chart.streams} dynamic={dynamic} />
          </Suspense>
        ),
      })}
      onZoom={time.zoom}
      onPan={time.pan}
      onZoomOut={time.out}
      legend={legend}
      {...(large && { large })}
      {...(onOpen && { onOpen })}
      {...(onEvent && { onEvent })}
      {...(onAnnotate && { onAnnotate })}
      {...(onFilter && { onFilter })}
    />
  );
}
