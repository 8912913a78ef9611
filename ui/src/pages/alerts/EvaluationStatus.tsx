import { RelativeTime } from "../../components/RelativeTime";
import { duration } from "../../lib/format";
import classes from "./Alerts.module.css";

/** Later than this is worth a colour. */
const tolerated = 60;

/** "Evaluated 8 s ago, on time", or how late it is. On a phone only trouble is worth the room. */
export function EvaluationStatus({ at, late, phone }: { at: number; late: number; phone: boolean }) {
  if (late > tolerated)
    return (
      <span className={classes.evaluated} data-late>
        {`Evaluation is ${duration(late)} late.`}
      </span>
    );
  if (!at || phone) return null;
  return (
    <span className={classes.evaluated}>
      Evaluated <RelativeTime at={at} />, on time
    </span>
  );
}
