import classes from "./ChartView.module.css";

/** Stands for the lines of a chart while they are on their way. */
export const Coming = () => <div className={classes.frame} data-coming aria-hidden />;
