import type { Backtest } from "../../api/types.gen";
import { Panel } from "../../components/Panel";
import { chosen, count } from "../../lib/format";
import classes from "./Backtest.module.css";

type Props = { data: Backtest; unit: string; title: string; current: number; onPick: (v: number) => void };

/** How often it would have fired at values nearby; a click takes one. */
export function OtherThresholds({ data, unit, title, current, onPick }: Props) {
  const most = Math.max(1, ...data.thresholds.map((t) => t.fired));
  return (
    <Panel className={classes.others ?? ""}>
      <h2>{title}</h2>
      {data.thresholds.map((t) => (
        <button
          key={t.value}
          type="button"
          className={classes.other}
          data-current={t.value === current}
          aria-pressed={t.value === current}
          onClick={() => onPick(t.value)}
        >
          <span className="num">{chosen(t.value, unit)}</span>
          <span>
            <i style={{ width: `${Math.max(t.fired ? 4 : 0, (t.fired / most) * 100)}%` }} />
          </span>
          <span className="num">{count(t.fired, "time")}</span>
        </button>
      ))}
    </Panel>
  );
}
