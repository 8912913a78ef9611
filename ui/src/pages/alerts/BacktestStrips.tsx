import type { Backtest } from "../../api/types.gen";
import { palette } from "../../chart/palette";
import { useScheme } from "../../chart/useScheme";
import { stripMarks, stripSentence } from "../../lib/alertWords";
import type { Interval } from "../../lib/backtest";
import { inWords } from "../../lib/sentence";
import type { Window } from "../../time/range";
import classes from "./Backtest.module.css";

type Props = {
  data: Backtest;
  /** Which condition is in the chart; its marks may be ahead of the server's. */
  place: number;
  marks: Interval[];
  fires: Interval[];
  window: Window;
};

/** One strip per condition, and one for the alert, under the chart's time: AND becomes visible. */
export function BacktestStrips({ data, place, marks, fires, window: w }: Props) {
  const scheme = useScheme();
  return (
    <div className={classes.strips}>
      {data.conditions.map((c, i) => (
        <div key={i}>
          <span>
            <i className={classes.dot} style={{ background: palette[i % palette.length]?.[scheme] }} aria-hidden />
            <span>{inWords(c.words)}</span>
          </span>
          <Track marks={i === place ? marks : c.intervals} window={w} />
        </div>
      ))}
      <div className={classes.fires}>
        <span>Alert fires</span>
        <Track marks={fires} window={w} fires />
      </div>
    </div>
  );
}

function Track({ marks, window: w, fires = false }: { marks: Interval[]; window: Window; fires?: boolean }) {
  return (
    <span className={classes.track} data-fires={fires} role="img" aria-label={spoken(marks, w)}>
      {stripMarks(marks, w.start, w.end).map((m, i) => (
        <i key={i} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
      ))}
    </span>
  );
}

/** The strip, for those who do not see it. */
const spoken = (marks: Interval[], w: Window) =>
  stripSentence(
    marks.filter(([a, b]) => b > w.start && a < w.end),
    w.end - w.start,
  );
