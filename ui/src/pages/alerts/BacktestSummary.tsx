import { useMemo } from "react";
import type { Condition } from "../../api/types";
import type { Backtest } from "../../api/types.gen";
import { Skeleton } from "../../components/Skeleton";
import { tooOften, verdict } from "../../lib/backtest";
import { dayAndMonth } from "../../lib/format";
import classes from "./Backtest.module.css";
import { useSettled } from "./useSettled";

type Props = {
  data: Backtest | undefined;
  error: Error | null;
  seconds: number;
  unit: string;
  condition: Condition;
};

/** The verdict in one sentence; spoken once it has rested for a second. */
export function BacktestSummary({ data, error, seconds, unit, condition }: Props) {
  const v = useMemo(() => data && verdict(data, seconds, unit, condition), [data, seconds, unit, condition]);
  const spoken = useSettled(v ? `${v.before}${v.times}${v.after} ${v.detail}` : "", 1000);
  if (error)
    return (
      <div>
        <p role="alert" className={classes.amber}>
          {error.message}
        </p>
      </div>
    );
  if (!data || !v)
    return (
      <div>
        <Skeleton height={44} width={420} />
      </div>
    );
  const hint = tooOften(data, condition, seconds, unit);
  return (
    <div>
      <p className={classes.verdict}>
        {v.before}
        <b>{v.times}</b>
        {v.after}
      </p>
      <span className="t2">{v.detail}</span>
      {hint && <p className={classes.amber}>{hint}</p>}
      {data.summaries_until > 0 && (
        <p className={classes.older}>
          {`Before ${dayAndMonth(data.summaries_until)} only minute summaries are kept; evaluated by those.`}
        </p>
      )}
      <span className="sr" role="status">
        {spoken}
      </span>
    </div>
  );
}
