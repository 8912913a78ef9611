import { stripMarks, stripSentence } from "../../lib/alertWords";
import type { Interval } from "../../lib/backtest";
import classes from "./parts.module.css";

type Props = {
  strip: Interval[];
  unjudged?: Interval[] | undefined;
  off: boolean;
  seconds?: number;
};

/** The last 24 hours, or another while: green, with red where it fired and grey where it was not evaluated. */
export function Strip({ strip, unjudged = [], off, seconds = 86_400 }: Props) {
  const end = Date.now() / 1000;
  const marks = (list: Interval[], fired: boolean) =>
    stripMarks(list, end - seconds, end).map((m, i) => (
      <i key={`${fired}${i}`} data-fired={fired} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
    ));
  const said = stripSentence(strip, seconds, off ? [] : unjudged);
  return (
    <div
      className={classes.strip}
      data-off={off}
      role="img"
      aria-label={said}
      data-tip={said.charAt(0).toUpperCase() + said.slice(1)}
    >
      {!off && marks(unjudged, false)}
      {marks(strip, true)}
    </div>
  );
}
