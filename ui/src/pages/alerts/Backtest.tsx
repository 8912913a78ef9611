import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type AlertDraft, conditionStream, type Preview, preview } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import { query, streamQueries } from "../../api/query";
import type { ChartDraft, Condition } from "../../api/types";
import { Chart } from "../../chart/Chart";
import { useLines } from "../../chart/ChartView";
import { Chip, EmptyState, Panel, Skeleton } from "../../components/parts";
import { lasted, stripMarks } from "../../lib/alertWords";
import { snap, tooOften, verdict } from "../../lib/backtest";
import { day, moment, value } from "../../lib/format";
import { resolutionFor } from "../../time/range";
import classes from "./Editor.module.css";

const ranges = [
  { seconds: 86_400, label: "24 h" },
  { seconds: 604_800, label: "7 days" },
  { seconds: 2_592_000, label: "30 days" },
];

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void };

/** The past, judged by the draft: what would have fired, while it is being written. */
export function Backtest({ draft, setDraft }: Props) {
  const [seconds, setSeconds] = useState(604_800);
  const settled = useSettled(draft, 300);
  const usable =
    settled.conditions.length > 0 &&
    settled.conditions.every((c) => c.metric_name && (c.type === "absent" || c.threshold != null));
  const { data, error } = useQuery(preview(settled, seconds, usable));
  const first = draft.conditions[0];
  const { data: metric } = useQuery({
    ...metrics.one(first?.metric_name ?? ""),
    enabled: Boolean(first?.metric_name),
    retry: false,
  });
  const unit = String(metric?.attributes.display_units_short ?? "");
  const setThreshold = (v: number) => {
    if (first) setDraft({ ...draft, conditions: [{ ...first, threshold: v }, ...draft.conditions.slice(1)] });
  };
  if (!first?.metric_name) return <EmptyState title="Choose a metric, and see what it did." />;
  return (
    <>
      <div className={classes.head}>
        <div aria-live="polite">
          {data ? (
            <Verdict data={data} seconds={seconds} unit={unit} condition={first} />
          ) : error ? (
            <p className={classes.amber}>{error.message}</p>
          ) : (
            <Skeleton height={44} width={420} />
          )}
        </div>
        <div className={classes.ranges}>
          {ranges.map((r) => (
            <Chip key={r.seconds} active={seconds === r.seconds} onClick={() => setSeconds(r.seconds)}>
              {r.label}
            </Chip>
          ))}
        </div>
      </div>
      <Panel style={{ padding: "12px 16px 16px" }}>
        <PastChart condition={first} unit={unit} seconds={seconds} data={data} onThreshold={setThreshold} />
        {data && <Strips data={data} />}
      </Panel>
      {data && (
        <div className={classes.below}>
          <WouldHave data={data} unit={unit} />
          {first.type !== "absent" && data.thresholds.length > 0 && (
            <OtherThresholds data={data} unit={unit} current={first.threshold ?? 0} onPick={setThreshold} />
          )}
        </div>
      )}
    </>
  );
}

/** A value that follows another once it has rested for a moment. */
function useSettled<T>(v: T, ms: number): T {
  const [settled, setSettled] = useState(v);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(v), ms);
    return () => window.clearTimeout(timer);
  }, [v, ms]);
  return settled;
}

function Verdict({
  data,
  seconds,
  unit,
  condition,
}: {
  data: Preview;
  seconds: number;
  unit: string;
  condition: Condition;
}) {
  const v = verdict(data, seconds, unit);
  const hint = tooOften(data, condition, unit);
  return (
    <>
      <p className={classes.verdict}>
        {v.before}
        <b>{v.times}</b>
        {v.after}
      </p>
      <span className="t2">{v.detail}</span>
      {hint && <span className={classes.amber}>{` ${hint}`}</span>}
      {data.summaries_until > 0 && (
        <p className="t3">{`Before ${day(data.summaries_until)} only minute summaries are kept; judged by those.`}</p>
      )}
    </>
  );
}

function PastChart({
  condition: c,
  unit,
  seconds,
  data,
  onThreshold,
}: {
  condition: Condition;
  unit: string;
  seconds: number;
  data: Preview | undefined;
  onThreshold: (v: number) => void;
}) {
  const [dragged, setDragged] = useState<number>();
  const step = resolutionFor(seconds);
  const end = Math.ceil((data?.end ?? Date.now() / 1000) / step) * step;
  const window = useMemo(() => ({ start: end - Math.ceil(seconds / step) * step, end, step }), [end, seconds, step]);
  const streams = useMemo(() => [conditionStream(c, unit)], [c, unit]);
  const loaded = useQuery({
    queryKey: ["backtest", streams, window],
    queryFn: ({ signal }) =>
      query({ ...window, resolution: step, queries: streamQueries(streams), dynamic: [] }, signal),
    placeholderData: (old) => old,
    staleTime: 60_000,
  });
  const chart = useMemo<ChartDraft>(() => ({ name: c.metric_name, type: "line", streams }), [c.metric_name, streams]);
  const results = loaded.data;
  const lines = useLines(
    chart,
    useMemo(() => (results ? { window, results: results.results, took: 0 } : undefined), [results, window]),
  );
  const incidents = useMemo(
    () => (data?.incidents ?? []).map((i) => ({ start: i.triggered_at, end: i.cleared_at || data?.end || 0 })),
    [data],
  );
  return (
    <div className={classes.chart}>
      {loaded.data && (
        <Chart
          title={c.metric_name}
          rangeLabel="the past"
          kind="line"
          lines={lines}
          window={window}
          incidents={incidents}
          {...(c.type !== "absent" && {
            threshold: {
              value: dragged ?? c.threshold ?? 0,
              side: c.type === "below" ? ("below" as const) : ("above" as const),
              unit,
              onDrag: (v: number) => setDragged(snap(v)),
              onDrop: (v: number) => {
                setDragged(undefined);
                onThreshold(snap(v));
              },
            },
          })}
        />
      )}
    </div>
  );
}

/** One strip per condition, and one for the alert: AND becomes visible. */
function Strips({ data }: { data: Preview }) {
  const track = (list: [number, number][], fires: boolean) => (
    <span className={classes.track} data-fires={fires} style={{ display: "block" }}>
      {stripMarks(list, data.start, data.end).map((m, i) => (
        <i key={i} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
      ))}
    </span>
  );
  return (
    <div className={classes.strips}>
      {data.conditions.map((c) => (
        <div key={c.sentence}>
          {c.sentence}
          {track(c.intervals, false)}
        </div>
      ))}
      <div style={{ color: "var(--tm-red)" }}>
        Alert fires
        {track(
          data.incidents.map((i) => [i.triggered_at, i.cleared_at || data.end]),
          true,
        )}
      </div>
    </div>
  );
}

function WouldHave({ data, unit }: { data: Preview; unit: string }) {
  if (data.incidents.length === 0) return <div />;
  return (
    <Panel>
      <table style={{ width: "100%", borderCollapse: "collapse" }}>
        <thead>
          <tr className="t2">
            {["Would have fired", "For", "Peak", "Streams"].map((h) => (
              <th key={h} style={{ textAlign: "left", fontWeight: 500, fontSize: 12, padding: "8px 16px" }}>
                {h}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...data.incidents]
            .reverse()
            .slice(0, 10)
            .map((i) => (
              <tr key={i.triggered_at} style={{ borderTop: "1px solid var(--tm-line)" }}>
                <td style={{ padding: "7px 16px", fontWeight: 550 }}>{moment(i.triggered_at)}</td>
                <td style={{ padding: "7px 16px" }}>
                  {i.cleared_at ? (
                    lasted(i.triggered_at, i.cleared_at)
                  ) : (
                    <span style={{ color: "var(--tm-red)" }}>{`${lasted(i.triggered_at, data.end)}, still on`}</span>
                  )}
                </td>
                <td className="num" style={{ padding: "7px 16px" }}>
                  {value(i.peak, unit)}
                </td>
                <td className="mono" style={{ padding: "7px 16px" }}>
                  {i.streams[0]}
                  {i.streams.length > 1 && ` + ${i.streams.length - 1}`}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </Panel>
  );
}

function OtherThresholds({
  data,
  unit,
  current,
  onPick,
}: {
  data: Preview;
  unit: string;
  current: number;
  onPick: (v: number) => void;
}) {
  const most = Math.max(1, ...data.thresholds.map((t) => t.fired));
  return (
    <Panel style={{ padding: "8px 8px 10px" }}>
      <p className="t2" style={{ margin: "0 8px 4px", fontSize: 12 }}>
        Other thresholds
      </p>
      {data.thresholds.map((t) => (
        <button
          key={t.value}
          type="button"
          className={classes.other}
          data-current={t.value === current}
          onClick={() => onPick(t.value)}
        >
          <span className="num">{value(t.value, unit)}</span>
          <span style={{ width: `${(t.fired / most) * 100}%` }} />
          <span className="num">{t.fired === 1 ? "1 time" : `${t.fired} times`}</span>
        </button>
      ))}
    </Panel>
  );
}
