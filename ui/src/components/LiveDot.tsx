import classes from "./LiveDot.module.css";

/** The dot that breathes while updates arrive. */
export const LiveDot = ({ state }: { state: "live" | "paused" | "late" }) => (
  <span className={classes.dot} data-state={state} aria-hidden />
);
