import classes from "./Explore.module.css";

/** 0 to 100, as a bar and as a number. */
export function FitBar({ fit }: { fit: number }) {
  return (
    <span className={classes.fit}>
      <span className={classes.bar} aria-hidden>
        <span style={{ width: `${fit}%` }} />
      </span>
      {fit}
    </span>
  );
}
