import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { type AlertDraft, type Preview, preview } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import type { Condition } from "../../api/types";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { Skeleton } from "../../components/Skeleton";
import { tooOften, verdict } from "../../lib/backtest";
import { day } from "../../lib/format";
import classes from "./Editor.module.css";
import { OtherThresholds } from "./OtherThresholds";
import { PastChart } from "./PastChart";
import { WouldHave } from "./WouldHave";

const ranges = [
  { seconds: 86_400, label: "24 h" },
  { seconds: 604_800, label: "7 days" },
  { seconds: 2_592_000, label: "30 days" },
];

type Props = { draft: AlertDraft; setDraft: (d: AlertDraft) => void };
export type Zoom = { start: number; end: number };

/** The past, judged by the draft: what would have fired, while it is being written. */
export function Backtest({ draft, setDraft }: Props) {
  const [seconds, setSeconds] = useState(604_800);
  const [zoom, setZoom] = useState<Zoom>();
  const settled = useSettled(draft, 300);
  const usable =
    settled.conditions.length > 0 &&
    settled.conditions.every((c) => c.metric_name && (c.type === "absent" || c.threshold != null));
  const { data, error } = useQuery(preview(settled, seconds, usable));
  const first = draft.conditions[0];
  const unit = useUnit(first?.metric_name ?? "");
  const setThreshold = (v: number) => {
    if (first) setDraft({ ...draft, conditions: [{ ...first, threshold: v }, ...draft.conditions.slice(1)] });
  };
  const label = ranges.find((r) => r.seconds === seconds)?.label ?? "";
  if (!first?.metric_name) return <EmptyState title="Choose a metric, and see what it did." />;
  return (
    <>
      <div className={classes.head}>
        <Said data={data} error={error} seconds={seconds} unit={unit} condition={first} />
        <div className={classes.ranges} role="group" aria-label="How far back">
          {ranges.map((r) => (
            <button
              key={r.seconds}
              type="button"
              aria-pressed={seconds === r.seconds}
              onClick={() => {
                setSeconds(r.seconds);
                setZoom(undefined);
              }}
            >
              {r.label}
            </button>
          ))}
        </div>
      </div>
      <Panel className={classes.past ?? ""}>
        <PastChart
          condition={first}
          unit={unit}
          seconds={seconds}
          data={data}
          zoom={zoom}
          onZoom={setZoom}
          onThreshold={setThreshold}
          back={zoom && <Chip onClick={() => setZoom(undefined)}>{`Back to ${label}`}</Chip>}
        />
      </Panel>
      {data && (
        <div className={classes.below}>
          <WouldHave data={data} unit={unit} onZoom={setZoom} />
          {first.type !== "absent" && data.thresholds.length > 0 && (
            <OtherThresholds data={data} unit={unit} current={first.threshold ?? 0} onPick={setThreshold} />
          )}
        </div>
      )}
    </>
  );
}

/** The unit that the values of a metric are shown in. */
export function useUnit(metric: string): string {
  const { data } = useQuery({ ...metrics.one(metric), enabled: metric !== "", retry: false });
  return String(data?.attributes.display_units_short ?? "");
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

type SaidProps = {
  data: Preview | undefined;
  error: Error | null;
  seconds: number;
  unit: string;
  condition: Condition;
};

/** The verdict in one sentence; spoken once it has rested for a second. */
function Said({ data, error, seconds, unit, condition }: SaidProps) {
  const v = useMemo(() => data && verdict(data, seconds, unit), [data, seconds, unit]);
  const spoken = useSettled(v ? `${v.before}${v.times}${v.after} ${v.detail}` : "", 1000);
  if (!data || !v)
    return <div>{error ? <p className={classes.amber}>{error.message}</p> : <Skeleton height={44} width={420} />}</div>;
  const hint = tooOften(data, condition, unit);
  return (
    <div>
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
      <span className="sr" role="status">
        {spoken}
      </span>
    </div>
  );
}
