import type { Against, Condition } from "../../api/types";
import { Select, Switch } from "../../components/fields";
import { MetricSearch } from "../../components/MetricSearch";
import { useUnit } from "../../components/useUnit";
import { Amount } from "./Amount";
import classes from "./Editor.module.css";
import { UnusualDays } from "./UnusualDays";

type Props = { condition: Condition; onChange: (c: Condition) => void };

const times = (list: [number, string][]) => list.map(([value, label]) => ({ value: String(value), label }));
const ago = times([
  [86_400, "the same time the day before"],
  [604_800, "the same time last week"],
  [2_419_200, "the same time 4 weeks before"],
]);
const windows = times([
  [300, "5 min"],
  [600, "10 min"],
  [1_800, "30 min"],
  [3_600, "1 h"],
  [21_600, "6 h"],
  [86_400, "1 day"],
]);
const pairs = times([
  [3_600, "1 h and 5 min"],
  [21_600, "6 h and 30 min"],
  [86_400, "1 day and 2 h"],
  [259_200, "3 days and 6 h"],
]);
const weeks = times([2, 4, 6, 8].map((n) => [n, `the last ${n} weeks`]));
const seasons = [
  { value: "hour_of_week", label: "hour of the week" },
  { value: "hour_of_day", label: "hour of the day" },
];

/** What a condition compares its metric with: the words that follow its first line. */
export function Comparison({ condition: c, onChange }: Props) {
  const unit = useUnit(c.metric_name);
  const g = c.against;
  if (!g || g.kind === "none") return null;
  const set = (change: Partial<Against>) => onChange({ ...c, against: { ...g, ...change } });
  const threshold = (v: number | null) => onChange({ ...c, threshold: v });
  const parts = { c, g, unit, set, threshold, onChange };
  if (g.kind === "past") return <Past {...parts} />;
  if (g.kind === "change") return <Change {...parts} />;
  if (g.kind === "budget") return <Budget {...parts} />;
  return <Band {...parts} />;
}

type Parts = {
  c: Condition;
  g: Against;
  unit: string;
  set: (change: Partial<Against>) => void;
  threshold: (v: number | null) => void;
  onChange: (c: Condition) => void;
};

const measures = (unit: string) => [
  { value: "", label: "percent" },
  { value: "absolute", label: unit || "as a difference" },
];

function Past({ c, g, unit, set, threshold }: Parts) {
  return (
    <div className={classes.words}>
      <span className="t2">{g.absolute ? "by more than" : c.type}</span>
      <Amount label="Threshold" value={c.threshold} unit={g.absolute ? unit : "%"} onChange={threshold} red />
      <Select
        small
        aria-label="Percent or difference"
        value={g.absolute ? "absolute" : ""}
        options={measures(unit)}
        onChange={(v) => set({ absolute: v === "absolute" })}
      />
      <span className="t2">of</span>
      <Select
        small
        aria-label="Compared with"
        value={String(g.period)}
        options={ago}
        onChange={(v) => set({ period: Number(v) })}
      />
    </div>
  );
}

function Change({ c, g, unit, set, threshold }: Parts) {
  return (
    <div className={classes.words}>
      <Select
        small
        aria-label="Within"
        value={String(g.period)}
        options={windows}
        onChange={(v) => set({ period: Number(v) })}
      />
      <span className="t2">by more than</span>
      <Amount label="Threshold" value={c.threshold} unit={g.absolute ? unit : "%"} onChange={threshold} red />
      <Select
        small
        aria-label="Percent or difference"
        value={g.absolute ? "absolute" : ""}
        options={measures(unit)}
        onChange={(v) => set({ absolute: v === "absolute" })}
      />
    </div>
  );
}

function Band({ c, g, unit, set, threshold }: Parts) {
  return (
    <>
      <div className={classes.words}>
        <span className="t2">band of</span>
        <Amount label="Threshold" value={c.threshold} unit="" onChange={threshold} red />
        <span className="t2">usual spreads, at least</span>
        <Amount label="At least" value={g.least ?? 0} unit={unit} onChange={(v) => set({ least: v ?? 0 })} />
      </div>
      <div className={classes.words}>
        <span className="t2">learned from</span>
        <Select
          small
          aria-label="Learned from"
          value={String(g.weeks ?? 6)}
          options={weeks}
          onChange={(v) => set({ weeks: Number(v) })}
        />
        <span className="t2">by</span>
        <Select
          small
          aria-label="Learned by"
          value={g.by ?? "hour_of_week"}
          options={seasons}
          onChange={(v) => set({ by: v as NonNullable<Against["by"]> })}
        />
      </div>
      <p className={classes.apart}>
        Usual is the median of the same hour in the weeks before; a spread is how far values usually are from it (1.48
        times the median distance). A few outliers, such as incidents, change neither. Until two weeks are stored, the
        hour of the day counts.
      </p>
      <UnusualDays against={g} set={set} />
    </>
  );
}

/** What is good: another metric counts it, or a value that is small enough. */
const goods = [
  { value: "metric", label: "counted by" },
  { value: "below", label: "at most" },
];

function Budget({ c, g, unit, set, threshold, onChange }: Parts) {
  const { good_metric: _, below: __, ...rest } = g;
  const is = (kind: string) => onGood(kind === "below" ? { ...rest, below: 300 } : rest);
  const onGood = (next: Against) => onChange({ ...c, against: next });
  return (
    <>
      <div className={classes.words}>
        <Amount
          label="Objective"
          value={g.objective}
          unit="%"
          onChange={(v) => set(v === null ? {} : { objective: v })}
        />
        <span className="t2">are to be</span>
        <Select
          small
          aria-label="What is good"
          value={g.below === undefined ? "metric" : "below"}
          options={goods}
          onChange={is}
        />
        {g.below === undefined ? (
          <MetricSearch value={g.good_metric ?? ""} onPick={(name) => set({ good_metric: name })} />
        ) : (
          <Amount
            label="Good up to"
            value={g.below}
            unit={unit}
            onChange={(v) => set(v === null ? {} : { below: v })}
          />
        )}
      </div>
      <div className={classes.words}>
        <span className="t2">burn rate above</span>
        <Amount label="Threshold" value={c.threshold} unit="times" onChange={threshold} red />
        <span className="t2">over</span>
        <Select
          small
          aria-label="Windows"
          value={String(g.period)}
          options={pairs}
          onChange={(v) => set({ period: Number(v) })}
        />
        <Switch
          small
          label="without maintenance"
          checked={g.without_maintenance ?? false}
          onChange={(on) => set({ without_maintenance: on })}
        />
      </div>
      <p className={classes.apart}>
        1 spends the budget exactly. Both windows must be above: the longer one waits out a blip, the shorter one ends
        the alert soon after the errors end. Without maintenance, what happened in its windows does not count.
      </p>
    </>
  );
}
