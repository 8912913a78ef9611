import type { Preview } from "../../api/alerts";
import { stripMarks } from "../../lib/alertWords";
import type { Interval } from "../../lib/backtest";
import type { Window } from "../../time/range";
import classes from "./Past.module.css";

type Props = { data: Preview; first: Interval[]; fires: Interval[]; window: Window };

/** One strip per condition, and one for the alert, under the chart's time: AND becomes visible. */
export function Strips({ data, first, fires, window: w }: Props) {
  return (
    <div className={classes.strips}>
      {data.conditions.map((c, i) => (
        <div key={c.sentence}>
          <span className="cut">{c.sentence}</span>
          <Track marks={i === 0 ? first : c.intervals} window={w} />
        </div>
      ))}
      <div className={classes.fires}>
        Alert fires
        <Track marks={fires} window={w} fires />
      </div>
    </div>
  );
}

function Track({ marks, window: w, fires = false }: { marks: Interval[]; window: Window; fires?: boolean }) {
  return (
    <span className={classes.track} data-fires={fires}>
      {stripMarks(marks, w.start, w.end).map((m, i) => (
        <i key={i} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
      ))}
    </span>
  );
}
