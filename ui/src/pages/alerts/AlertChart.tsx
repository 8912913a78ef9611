import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { alerts, conditionStream } from "../../api/alerts";
import { annotations } from "../../api/annotations";
import type { Condition } from "../../api/types";
import type { AlertDetail } from "../../api/ui.gen";
import { Chart } from "../../chart/Chart";
import { EventCard } from "../../chart/EventCard";
import { Legend, type LegendHandle } from "../../chart/Legend";
import type { Mark } from "../../chart/Marks";
import { useEvents } from "../../chart/useEvents";
import { Panel } from "../../components/Panel";
import { useAnnotate } from "../../dialogs/useAnnotate";
import { chosen } from "../../lib/format";
import { usePhone } from "../../shell/usePhone";
import { useTime } from "../../time/TimeContext";
import { TimePicker } from "../../time/TimePicker";
import classes from "./Alert.module.css";
import type { AlertSeries } from "./useAlertSeries";

/** "max by region", "average of each stream" */
function about(c: Condition): string {
  const groups = c.tags.filter((t) => t.grouped).map((t) => t.name);
  const how = conditionStream(c, "").summary_function;
  return groups.length ? `${how} by ${groups.join(", ")}` : `${how} of each stream`;
}

/** The alerts' own events are the incidents, which the chart shows already. */
const own = "tidemark.alerts";
const mostSources = 8;

/** The annotation streams that lie over the chart: all, unless there are many. */
function useSources(): string[] {
  const { data } = useQuery(annotations.streams);
  return useMemo(
    () => (data?.annotations.map((a) => a.name) ?? []).filter((n) => n !== own).slice(0, mostSources),
    [data],
  );
}

type Props = { alert: AlertDetail; series: AlertSeries; condition: Condition };

/** What the alert looks at, with its threshold, the times it fired and what else happened. */
export function AlertChart({ alert: a, series, condition: c }: Props) {
  const { loaded, lines, unit, past: compared } = series;
  const time = useTime();
  const phone = usePhone();
  const { data: past } = useQuery(alerts.incidents(a.id));
  const sources = useSources();
  const events = useEvents(sources, time.window);
  const annotate = useAnnotate(sources);
  const names = useRef<LegendHandle>(null);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const [open, setOpen] = useState<{ event: Mark; at: DOMRect } | null>(null);
  const incidents = useMemo(
    () =>
      (past ?? [])
        .map((i) => ({ start: i.triggered_at, end: i.cleared_at ?? time.now }))
        .filter((i) => i.end > time.window.start && i.start < time.window.end),
    [past, time.now, time.window],
  );
  const threshold = c.threshold != null && c.type !== "absent" ? c.threshold : undefined;
  const side = c.type === "below" ? ("below" as const) : ("above" as const);
  return (
    <Panel className={classes.box ?? ""}>
      <header className={classes.chartHead}>
        <h2 className={phone ? "sr" : "cut"}>
          <span className="mono">{c.metric_name}</span>
          <span className={classes.unit}>
            {about(c)}
            {threshold !== undefined && `, threshold ${chosen(threshold, unit)}`}
          </span>
        </h2>
        <TimePicker />
        {phone && <span className="t3">{[about(c), unit].filter(Boolean).join(", ")}</span>}
      </header>
      <div className={classes.chart}>
        {loaded && (
          <Chart
            title={c.metric_name}
            rangeLabel={time.label}
            kind="line"
            lines={lines}
            window={loaded.window}
            past={compared}
            events={events}
            incidents={incidents}
            isolated={isolated}
            focused={focused}
            {...(threshold !== undefined && { threshold: { value: threshold, side, unit } })}
            incomplete={time.canBeLive}
            onCursor={(idx) => names.current?.show(idx)}
            onEvent={(event, at) => setOpen({ event, at })}
            onZoom={time.zoom}
            onPan={time.pan}
            onZoomOut={time.out}
            {...annotate.take}
          />
        )}
      </div>
      <Legend
        ref={names}
        lines={lines}
        past={compared}
        window={loaded?.window}
        incomplete={time.canBeLive}
        isolated={isolated}
        onIsolate={setIsolated}
        onFocus={setFocused}
      />
      {annotate.dialog}
      {open && <EventCard {...open} close={() => setOpen(null)} />}
    </Panel>
  );
}
