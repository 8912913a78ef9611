import type { Wait } from "../api/series";
import classes from "./ChartView.module.css";

export type ChartStateProps = {
  error: unknown;
  retry: (() => void) | undefined;
  wait: Wait | undefined;
  over: boolean;
};

/** What is wrong with a chart, or why it is not there yet, inside its frame. */
export function ChartState({ error, retry, wait, over }: ChartStateProps) {
  if (error)
    return (
      <div className={classes.nothing} role="alert" data-over={over || undefined}>
        <p>{`Could not load: ${error instanceof Error ? error.message : String(error)}`}</p>
        {retry && <Act label="Try again" run={retry} />}
      </div>
    );
  if (!wait?.slow && !wait?.stopped) return null;
  return (
    <div className={classes.nothing} role="status" data-over={over || undefined}>
      <p>{wait.slow ? "Still working…" : "Stopped before it was loaded"}</p>
      {wait.slow ? <Act label="Cancel" run={wait.cancel} /> : <Act label="Try again" run={wait.again} />}
    </div>
  );
}

function Act({ label, run }: { label: string; run: () => void }) {
  return (
    <button type="button" className={classes.link} onClick={run}>
      {label}
    </button>
  );
}
