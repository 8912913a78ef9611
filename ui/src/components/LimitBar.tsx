import type { LimitUse } from "../api/ui.gen";
import { type Nearness, nearness, percent, share } from "../lib/limits";
import classes from "./LimitBar.module.css";

/** What part of a limit is used: nothing where nothing is counted, or there is no limit. */
export function LimitBar({ limit }: { limit: LimitUse }) {
  const part = share(limit);
  if (part === undefined) return null;
  return <PartBar part={part} near={nearness(limit)} />;
}

/** A part of something, in percent. */
export function PartBar({ part, near = "quiet" }: { part: number; near?: Nearness }) {
  return (
    <div className={classes.share} data-near={near}>
      <div className={classes.bar} aria-hidden>
        <span style={{ width: `${Math.min(100, part)}%` }} />
      </div>
      <span className="num t2">{percent(part)}</span>
    </div>
  );
}
