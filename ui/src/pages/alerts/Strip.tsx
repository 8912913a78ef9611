import type { AlertSummary } from "../../api/ui.gen";
import { stripMarks, stripSentence } from "../../lib/alertWords";
import type { Interval } from "../../lib/backtest";
import classes from "./pillsAndLinks.module.css";

type Props = {
  alert: Pick<AlertSummary, "state" | "unjudged" | "maintained" | "suspended">;
  /** When it fired. */
  strip: Interval[];
  seconds?: number;
};

/**
 * The last 24 hours, or another while: green, with red where it fired and grey where it was not evaluated. Maintenance
 * is striped.
 */
export function Strip({ alert: a, strip, seconds = 86_400 }: Props) {
  const end = Date.now() / 1000;
  const off = a.state === "inactive";
  const marks = (list: Interval[], kind: string) =>
    stripMarks(list, end - seconds, end).map((m, i) => (
      <i key={`${kind}${i}`} data-kind={kind} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
    ));
  const said = stripSentence(strip, seconds, off ? {} : a);
  return (
    <div
      className={classes.strip}
      data-off={off}
      role="img"
      aria-label={said}
      data-tip={said.charAt(0).toUpperCase() + said.slice(1)}
    >
      {!off && marks(a.unjudged ?? [], "unjudged")}
      {!off && marks(a.maintained, "maintained")}
      {!off && marks(a.suspended, "suspended")}
      {marks(strip, "fired")}
    </div>
  );
}
