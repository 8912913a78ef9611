import { IconChevronDown, IconX } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import type { Condition } from "../../api/types";
import { palette } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { IconButton } from "../../components/controls";
import { Select } from "../../components/fields";
import { MetricSearch } from "../../components/MetricSearch";
import { Panel } from "../../components/Panel";
import { StreamFilter } from "../../components/StreamFilter";
import { useUnit } from "../../components/useUnit";
import { choiceOf, choices, choose, isCompared } from "../../lib/against";
import { percentiles } from "../../lib/question";
import { Amount } from "./Amount";
import { Comparison } from "./Comparison";
import { StreamGrouping } from "./ConditionStreams";
import classes from "./Editor.module.css";

const options = (list: string[]) => list.map((value) => ({ value, label: value }));
const functions = [
  { value: "", label: "average" },
  ...options(["max", "min", "sum", "count", "derivative", ...percentiles]),
];
const minutes = [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60];

type Props = {
  condition: Condition;
  place: number;
  /** What the server says is wrong with it. */
  problems: string[];
  onChange: (c: Condition) => void;
  onRemove?: () => void;
};

/** One condition: a metric, what it must do, and for how long. */
export function ConditionBox({ condition: c, place, problems, onChange, onRemove }: Props) {
  const scheme = useScheme();
  const absent = c.type === "absent";
  const box = useRef<HTMLElement>(null);
  const wrong = problems[0]?.split(":")[0] ?? "";
  useEffect(() => {
    // Of all that is wrong with the draft, the first one takes the focus.
    if (!wrong || document.querySelector("[data-error]") !== box.current) return;
    box.current?.querySelector<HTMLElement>(`[aria-label^="${wrong}"]`)?.focus();
  }, [wrong]);
  return (
    <Panel ref={box} className={classes.condition ?? ""} data-error={problems.length > 0 || undefined}>
      <div className={classes.metric}>
        <i style={{ background: palette[place % palette.length]?.[scheme] }} aria-hidden />
        <MetricSearch
          value={c.metric_name}
          autoFocus={c.metric_name === ""}
          onPick={(name, m) =>
            onChange({
              ...c,
              metric_name: name,
              tags: [],
              ...(!c.threshold && m?.last_value && { threshold: Number(m.last_value.toPrecision(2)) }),
            })
          }
        />
        <IconChevronDown size={14} stroke={1.6} aria-hidden />
        {onRemove && (
          <IconButton label="Remove this condition" onClick={onRemove}>
            <IconX size={15} stroke={1.6} />
          </IconButton>
        )}
      </div>
      <div className={classes.words}>
        {!absent && (
          <Select
            small
            aria-label="Function"
            value={c.summary_function ?? ""}
            options={functions}
            onChange={(v) => onChange({ ...c, summary_function: v || null })}
          />
        )}
        <Select
          small
          aria-label="Condition"
          value={choiceOf(c)}
          options={choices}
          onChange={(v) => onChange(choose(c, v))}
        />
        {!absent && !isCompared(c) && <Threshold condition={c} onChange={onChange} />}
        {(c.duration ?? 0) > 0 && <span className="t2">for</span>}
        <Select
          small
          aria-label="For how long"
          value={String(c.duration ?? 0)}
          options={durations(c.duration ?? 0, absent)}
          onChange={(v) => onChange({ ...c, duration: Number(v) || null })}
        />
      </div>
      <Comparison condition={c} onChange={onChange} />
      <StreamFilter condition={c} onChange={onChange} />
      <StreamGrouping condition={c} onChange={onChange} />
      {problems.map((p) => (
        <p key={p} role="alert" className={classes.wrong}>
          {p}
        </p>
      ))}
    </Panel>
  );
}

/** At once, or up to an hour; silence always needs a time. */
function durations(now: number, absent: boolean) {
  const list = minutes.filter((m) => m > 0 || !absent);
  if (now % 60 === 0 && !list.includes(now / 60)) list.push(now / 60);
  return list.sort((a, b) => a - b).map((m) => ({ value: String(m * 60), label: m === 0 ? "at once" : `${m} min` }));
}

/** The value with its unit: typing moves the line in the chart. */
function Threshold({ condition: c, onChange }: Pick<Props, "condition" | "onChange">) {
  const unit = useUnit(c.metric_name);
  return (
    <Amount label="Threshold" value={c.threshold} unit={unit} onChange={(v) => onChange({ ...c, threshold: v })} red />
  );
}
