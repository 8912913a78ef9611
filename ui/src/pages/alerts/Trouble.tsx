import type { AlertSummary } from "../../api/types";
import { shortMoment } from "../../lib/alertWords";
import classes from "./Alerts.module.css";

/** Why what happens to an alert cannot be saved; nothing where it can. */
export function Trouble({ alert: a }: { alert: AlertSummary }) {
  if (!a.trouble) return null;
  const { since, reason } = a.trouble;
  return (
    <div className={classes.trouble} role="note">
      {`Not saved since ${shortMoment(since)}, and nobody is told: ${reason}.`}
    </div>
  );
}
