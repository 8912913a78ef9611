import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AlertDraft, preview } from "../../api/alerts";
import { Chip } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Panel } from "../../components/Panel";
import { Segments } from "../../components/Segments";
import { useUnit } from "../../components/useUnit";
import { comparedUnit } from "../../lib/against";
import { fixedWords } from "../../lib/backtest";
import { furthest } from "../../lib/band";
import classes from "./Backtest.module.css";
import { BacktestChart } from "./BacktestChart";
import { BacktestIncidents } from "./BacktestIncidents";
import { BacktestSummary } from "./BacktestSummary";
import { OtherThresholds } from "./OtherThresholds";
import { useSettled } from "./useSettled";

const ranges = [
  { seconds: 86_400, label: "24 h" },
  { seconds: 604_800, label: "7 days" },
  { seconds: 2_592_000, label: "30 days" },
];

type Props = {
  draft: AlertDraft;
  setDraft: (d: AlertDraft) => void;
  /** The condition that was worked on last: the chart shows it, and its threshold is dragged there. */
  place: number;
};
export type Zoom = { start: number; end: number };

/** The past, evaluated by the draft: what would have fired, while it is being written. */
export function Backtest({ draft, setDraft, place: wanted }: Props) {
  const [seconds, setSeconds] = useState(604_800);
  const [zoom, setZoom] = useState<Zoom>();
  const settled = useSettled(draft, 300);
  const usable =
    settled.conditions.length > 0 &&
    settled.conditions.every((c) => c.metric_name && (c.type === "absent" || c.threshold != null));
  const { data, error } = useQuery(preview(settled, seconds, usable));
  const place = draft.conditions[wanted]?.metric_name ? wanted : 0;
  const first = draft.conditions[0];
  const shown = draft.conditions[place];
  const plainUnit = useUnit(first?.metric_name ?? "");
  const unit = comparedUnit(first, plainUnit);
  const shownUnit = useUnit(shown?.metric_name ?? "");
  const setThreshold = (at: number, v: number) =>
    setDraft({ ...draft, conditions: draft.conditions.map((c, i) => (i === at ? { ...c, threshold: v } : c)) });
  const label = ranges.find((r) => r.seconds === seconds)?.label ?? "";
  if (!first?.metric_name || !shown) return <EmptyState title="Choose a metric, and see what it did." />;
  return (
    <>
      <div className={classes.head}>
        <BacktestSummary data={data} error={error} seconds={seconds} unit={unit} condition={first} />
        <Segments
          label="How far back"
          options={ranges.map((r) => ({ value: r.seconds, label: r.label }))}
          value={seconds}
          onChange={(v) => {
            setSeconds(v);
            setZoom(undefined);
          }}
        />
      </div>
      <Panel className={classes.past ?? ""}>
        <BacktestChart
          condition={shown}
          place={place}
          unit={shownUnit}
          seconds={seconds}
          data={data}
          zoom={zoom}
          onZoom={setZoom}
          onThreshold={(v) => setThreshold(place, v)}
          back={zoom && <Chip onClick={() => setZoom(undefined)}>{`Back to ${label}`}</Chip>}
        />
      </Panel>
      {data && (
        <div className={classes.below}>
          <BacktestIncidents
            data={data}
            unit={unit}
            band={first.against?.kind === "band" ? { unit: plainUnit, furthest: furthest(first) } : undefined}
            tag={first.tags.find((t) => t.grouped)?.name ?? ""}
            instead={fixedWords(data, plainUnit)}
            onZoom={setZoom}
          />
          {first.type !== "absent" && data.thresholds.length > 0 && (
            <OtherThresholds
              data={data}
              unit={unit}
              title={first.against?.kind === "band" ? "Other widths" : "Other thresholds"}
              current={first.threshold ?? 0}
              onPick={(v) => setThreshold(0, v)}
            />
          )}
        </div>
      )}
    </>
  );
}
