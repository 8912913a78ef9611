import { useMemo } from "react";
import { usePastSeries } from "../api/past";
import { askStreams, useSeries } from "../api/series";
import type { ChartDraft, Stream } from "../api/types";
import { useTime } from "../time/TimeContext";
import { many } from "./band";
import { useLines, usePast } from "./ChartView";

const none: never[] = [];

/** One stream, asked for over the time of the page, and the lines that come of it: of too many a band, unless every one is wanted. */
export function useAnswer(name: string, stream: Stream | undefined, every = false) {
  const time = useTime();
  const streams = useMemo(() => (stream ? [stream] : none), [stream]);
  const chart = useMemo<ChartDraft>(() => ({ name, type: "line", streams }), [name, streams]);
  const ask = useMemo(() => askStreams(streams, none, undefined, every ? undefined : many), [streams, every]);
  const key = useMemo(() => [streams, every], [streams, every]);
  const series = useSeries({
    key,
    ask,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled: streams.length > 0,
  });
  const earlier = usePastSeries(key, ask, time, streams.length > 0);
  const past = usePast(chart, earlier);
  const result = series.isPlaceholderData ? undefined : series.data?.results[0];
  const error = stream && result?.error;
  const lines = useLines(chart, error ? undefined : series.data);
  return { chart, series, result, error, lines, past, earlier };
}
