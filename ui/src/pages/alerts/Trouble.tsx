import type { AlertSummary } from "../../api/ui.gen";
import { shortMoment } from "../../lib/alertWords";
import classes from "./Alerts.module.css";

/** Why an alert cannot be evaluated or saved; nothing where it can. */
export function Trouble({ alert: a }: { alert: AlertSummary }) {
  if (!a.trouble) return null;
  const { since, reason } = a.trouble;
  return (
    <div className={classes.trouble} role="note">
      {`Set aside since ${shortMoment(since)}, and nobody is notified: ${reason}.`}
    </div>
  );
}
