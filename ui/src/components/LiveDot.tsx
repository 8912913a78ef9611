import classes from "./LiveDot.module.css";

type Props = {
  state: "live" | "paused" | "late";
  /** Changes with every update: the dot breathes once for each. Without it, it breathes for half a minute. */
  beat?: number;
};

/** The dot that breathes while updates arrive. */
export const LiveDot = ({ state, beat }: Props) => (
  <span className={classes.dot} data-state={state} aria-hidden>
    {state === "live" && <i key={beat} className={classes.ring} data-once={beat !== undefined || undefined} />}
  </span>
);
