import { value as format } from "../../lib/format";
import classes from "./Send.module.css";

/** A flat dotted line that waits; with the first value, the water rises. */
export function FirstValueLine({ value, name }: { value: number | undefined; name: string | undefined }) {
  const arrived = name !== undefined;
  return (
    <div className={classes.tide} data-arrived={arrived || undefined} aria-hidden>
      <svg width="100%" height="100%" aria-hidden="true">
        {[14, 46, 78].map((y) => (
          <line key={y} x1="0" x2="100%" y1={y} y2={y} stroke="var(--tm-line)" />
        ))}
        <line x1="0" x2="72%" y1={98} y2={98} stroke="var(--tm-line2)" strokeWidth={1.75} strokeDasharray="3 4" />
        <svg aria-hidden="true" x="72%" width="17.6%" height="112" viewBox="0 0 100 112" preserveAspectRatio="none">
          <path
            d={arrived ? "M0 98C30 98 40 97 52 88S78 34 100 30" : "M0 98C40 98 70 97 100 97"}
            fill="none"
            stroke="var(--tm-acc)"
            strokeWidth={2}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </svg>
      <span className={classes.drop} />
      <span className={classes.word}>{value !== undefined ? format(value) : arrived ? "arrived" : "listening"}</span>
    </div>
  );
}
