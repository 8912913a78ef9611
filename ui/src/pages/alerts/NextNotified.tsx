import type { AlertDetail } from "../../api/ui.gen";
import { useNow } from "../../components/useNow";
import { nextNotified } from "../../lib/nextNotified";
import { countdown } from "../../lib/timeline";
import classes from "./Incident.module.css";

/** "Nobody has acknowledged. lead@example.org is notified in 4 min 48 s." */
export function NextNotified({ alert: a }: { alert: AlertDetail }) {
  const now = useNow(a.next.length > 0);
  const next = nextNotified(a, now);
  return (
    <span className={classes.next}>
      {next.nobody && <b className={classes.nobody}>Nobody has acknowledged. </b>}
      {next.text}
      {next.at !== undefined && (
        <>
          {" "}
          <b className="num">{countdown(next.at - now)}</b>
        </>
      )}
    </span>
  );
}

/** The same for a phone: how much of the wait is over, and who is next. */
export function NextNotifiedBar({ alert: a }: { alert: AlertDetail }) {
  const now = useNow(a.next.length > 0);
  const next = nextNotified(a, now);
  const { at, from = 0 } = next;
  const share = at === undefined ? 0 : Math.min(1, Math.max(0, (now - from) / Math.max(1, at - from)));
  return (
    <div className={classes.bar}>
      {at !== undefined && (
        <div className={classes.track} aria-hidden>
          <i style={{ width: `${share * 100}%` }} />
        </div>
      )}
      <div className={classes.barWords}>
        <span>
          {next.nobody && <b className={classes.nobody}>Nobody has acknowledged.</b>}
          <span className="t2">{next.whom ? `Next: ${next.whom}` : next.text}</span>
        </span>
        {at !== undefined && <b className="num">{countdown(at - now)}</b>}
      </div>
    </div>
  );
}
