import { RelativeTime } from "../../components/RelativeTime";
import classes from "./Alerts.module.css";

/** "Evaluated 8 s ago, on time"; that it is late says a notice. */
export function EvaluationStatus({ at, late }: { at: number; late: number }) {
  if (!at || late > 0) return null;
  return (
    <span className={classes.evaluated}>
      Evaluated <RelativeTime at={at} />, on time
    </span>
  );
}
