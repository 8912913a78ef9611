import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { conditionStream } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import { usePastSeries } from "../../api/past";
import { askStreams, type Loaded, useSeries } from "../../api/series";
import type { ChartDraft, Condition } from "../../api/types";
import type { AlertDetail } from "../../api/ui.gen";
import { useLines, usePast } from "../../chart/ChartView";
import type { Line } from "../../chart/data";
import type { Past } from "../../chart/past";
import { useTime } from "../../time/TimeContext";

export type AlertSeries = {
  condition: Condition | undefined;
  unit: string;
  loaded: Loaded | undefined;
  lines: Line[];
  /** What the page compares them with. */
  past: Past | undefined;
};

/** What the first condition of an alert looks at, in the page's time. */
export function useAlertSeries(a: AlertDetail): AlertSeries {
  const condition = a.alert.conditions[0];
  const time = useTime();
  const { data: metric } = useQuery({ ...metrics.one(condition?.metric_name ?? ""), enabled: Boolean(condition) });
  const unit = String(metric?.attributes.display_units_short ?? "");
  const streams = useMemo(() => (condition ? [conditionStream(condition, unit)] : []), [condition, unit]);
  const chart = useMemo<ChartDraft>(() => ({ name: a.name, type: "line", streams }), [a.name, streams]);
  const ask = useMemo(() => askStreams(streams, []), [streams]);
  const key = ["alert", a.id, streams];
  const { data: loaded } = useSeries({
    key,
    ask,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled: Boolean(condition),
  });
  const past = usePast(chart, usePastSeries(key, ask, time, Boolean(condition)));
  return { condition, unit, loaded, lines: useLines(chart, loaded), past };
}
