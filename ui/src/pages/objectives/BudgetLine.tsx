import type { ObjectiveStatus } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { dayAndMonth } from "../../lib/format";
import { drops, share } from "../../lib/objectives";
import classes from "./Objectives.module.css";

const width = 640;
const height = 220;

/** The budget over the window, against one that is spent evenly. */
export function BudgetLine({ status: { line, left } }: { status: ObjectiveStatus }) {
  const [first, last] = [line[0], line.at(-1)];
  if (!first || !last || left === null)
    return (
      <Panel className={classes.box ?? ""}>
        <h2>Error budget left</h2>
        <p className="t2">Nothing was counted in the window.</p>
      </Panel>
    );
  const x = (at: number) => ((at - first.at) / (last.at - first.at)) * width;
  const y = (v: number) => (1 - Math.max(0, Math.min(100, v)) / 100) * height;
  const points = line.map((p) => `${x(p.at).toFixed(1)},${y(p.left).toFixed(1)}`).join(" ");
  const marks = [0, 0.25, 0.5, 0.75].map((part) => first.at + part * (last.at - first.at));
  const said = `Error budget left, from ${dayAndMonth(first.at)} until now: ${share(Math.max(0, Math.round(left)))} are left.`;
  return (
    <Panel className={classes.box ?? ""}>
      <h2>
        Error budget left <small>dashed: spent evenly</small>
      </h2>
      <div className={classes.line}>
        <div className={classes.scale} aria-hidden>
          {[100, 75, 50, 25, 0].map((v) => (
            <span key={v}>{`${v}\u00a0%`}</span>
          ))}
        </div>
        <div className={classes.drops} aria-hidden>
          {drops(line).map((d) => (
            <span
              key={d.at}
              data-late={x(d.at) > 0.9 * width || undefined}
              style={{ left: `${(100 * x(d.at)) / width}%`, top: `${(100 * y(d.left)) / height}%` }}
            >
              {`\u2212${Math.round(d.spent)}\u00a0%`}
            </span>
          ))}
        </div>
        <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={said}>
          {[100, 75, 50, 25, 0].map((v) => (
            <line key={v} x1={0} x2={width} y1={y(v)} y2={y(v)} className={classes.gridLine} />
          ))}
          <polygon points={`0,${height} ${points} ${width},${height}`} className={classes.area} />
          <polyline points={points} className={classes.curve} />
          <line x1={0} y1={0} x2={width} y2={height} className={classes.even} />
        </svg>
      </div>
      <p className={classes.dates} aria-hidden>
        {marks.map((at) => (
          <span key={at}>{dayAndMonth(at)}</span>
        ))}
        <span>today</span>
      </p>
    </Panel>
  );
}
