import { stripMarks, stripSentence } from "../../lib/alertWords";
import classes from "./parts.module.css";

/** The last 24 hours, or another while: green, with red where it fired. */
export function Strip({ strip, off, seconds = 86_400 }: { strip: [number, number][]; off: boolean; seconds?: number }) {
  const end = Date.now() / 1000;
  return (
    <div className={classes.strip} data-off={off} role="img" aria-label={stripSentence(strip, seconds)}>
      {stripMarks(strip, end - seconds, end).map((m, i) => (
        <i key={i} style={{ left: `${m.left}%`, width: `${m.width}%` }} />
      ))}
    </div>
  );
}
