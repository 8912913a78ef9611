import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { type AlertDetail, alerts, conditionStream } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import { askStreams, useSeries } from "../../api/series";
import type { ChartDraft, Condition } from "../../api/types";
import { Chart } from "../../chart/Chart";
import { useLines } from "../../chart/ChartView";
import { Legend } from "../../chart/Legend";
import { EmptyState, Panel } from "../../components/parts";
import { value } from "../../lib/format";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Alerts.module.css";

/** "max by region, threshold 250 ms" */
function about(c: Condition, unit: string): string {
  const groups = c.tags.filter((t) => t.grouped).map((t) => t.name);
  const what = [conditionStream(c, "").summary_function, ...(groups.length ? [`by ${groups.join(", ")}`] : [])].join(
    " ",
  );
  return c.threshold != null && c.type !== "absent" ? `${what}, threshold ${value(c.threshold, unit)}` : what;
}

/** What the alert looks at, with its threshold and the times it fired. */
export function AlertChart({ alert: a }: { alert: AlertDetail }) {
  const c = a.alert.conditions[0];
  const time = useTime();
  const { data: metric } = useQuery({ ...metrics.one(c?.metric_name ?? ""), enabled: Boolean(c) });
  const { data: past } = useQuery(alerts.incidents(a.id));
  const unit = String(metric?.attributes.display_units_short ?? "");
  const streams = useMemo(() => (c ? [conditionStream(c, unit)] : []), [c, unit]);
  const chart = useMemo<ChartDraft>(() => ({ name: a.name, type: "line", streams }), [a.name, streams]);
  const ask = useMemo(() => askStreams(streams, []), [streams]);
  const q = useSeries({
    key: ["alert", a.id, streams],
    ask,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled: Boolean(c),
  });
  const lines = useLines(chart, q.data);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const incidents = useMemo(
    () => (past ?? []).map((i) => ({ start: i.triggered_at, end: i.cleared_at ?? Date.now() / 1000 })),
    [past],
  );
  if (!c) return <EmptyState title="This alert has no conditions: it never fires." />;
  const side = c.type === "below" ? ("below" as const) : ("above" as const);
  return (
    <Panel className={classes.box ?? ""}>
      <header>
        <h2>
          <span className="mono">{c.metric_name}</span>
          <span className={classes.unit}>{about(c, unit)}</span>
        </h2>
        <TimePicker />
      </header>
      <div className={classes.chart}>
        {q.data && (
          <Chart
            title={c.metric_name}
            rangeLabel={time.label}
            kind="line"
            lines={lines}
            window={q.data.window}
            incidents={incidents}
            isolated={isolated}
            focused={focused}
            {...(c.threshold != null && c.type !== "absent" && { threshold: { value: c.threshold, side, unit } })}
            incomplete={time.live}
            onZoom={time.zoom}
            onPan={time.pan}
            onZoomOut={time.out}
          />
        )}
      </div>
      <Legend lines={lines} isolated={isolated} onIsolate={setIsolated} onFocus={setFocused} />
    </Panel>
  );
}
