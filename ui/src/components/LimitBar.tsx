import type { LimitUse } from "../api/ui.gen";
import { nearness, percent, share } from "../lib/limits";
import classes from "./LimitBar.module.css";

/** What part of a limit is used: nothing where nothing is counted, or there is no limit. */
export function LimitBar({ limit }: { limit: LimitUse }) {
  const part = share(limit);
  if (part === undefined) return null;
  return (
    <div className={classes.share} data-near={nearness(limit)}>
      <div className={classes.bar} aria-hidden>
        <span style={{ width: `${Math.min(100, part)}%` }} />
      </div>
      <span className="num t2">{percent(part)}</span>
    </div>
  );
}
