import { useRef } from "react";
import type { Machine } from "../../api/ui.gen";
import { palette } from "../../chart/palette";
import { sparkPath } from "../../chart/Sparkline";
import { useScheme } from "../../chart/useScheme";
import { useSize } from "../../chart/useSize";
import { Panel } from "../../components/Panel";
import { value } from "../../lib/format";
import { behindAt, machineName, muchBehind, shortTime } from "../../lib/machines";
import classes from "./Machines.module.css";

const [height, left, minutes] = [150, 44, 60];
const steps = [0.1, 1, 10, 100, 1000];
const y = (seconds: number) => height - 12 - behindAt(seconds) * (height - 24);

/** How late alerts were evaluated in the last hour, by each machine that did: seconds, each line ten times the one below. */
export function Behind({ list }: { list: Machine[] }) {
  const scheme = useScheme();
  const box = useRef<HTMLDivElement>(null);
  const width = Math.max(useSize(box).width, 2 * left);
  const lines = list.filter((m) => m.behind_past.length > 0);
  return (
    <Panel className={classes.part ?? ""}>
      <h2>
        Behind <small>how late alerts are evaluated, last hour, log axis</small>
      </h2>
      <div ref={box}>
        <svg
          className={classes.plot}
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label="How late alerts are evaluated"
        >
          {steps.map((s) => (
            <g key={s}>
              <line x1={left} x2={width} y1={y(s)} y2={y(s)} />
              <text x={left - 6} y={y(s) + 4} textAnchor="end">
                {value(s, "s")}
              </text>
            </g>
          ))}
          <line className={classes.late} x1={left} x2={width} y1={y(muchBehind)} y2={y(muchBehind)} />
          {lines.map((m, i) => (
            <path
              key={m.id}
              d={pathOf(m.behind_past, width)}
              transform={`translate(${left} 12)`}
              stroke={colour(i, scheme)}
            />
          ))}
        </svg>
      </div>
      <ul className={classes.keys}>
        {lines.map((m, i) => (
          <li key={m.id}>
            <i style={{ background: colour(i, scheme) }} aria-hidden />
            <span className="mono">{machineName(m)}</span> <b className="num">{shortTime(m.behind)}</b>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const colour = (i: number, scheme: "light" | "dark") => palette[i % palette.length]?.[scheme] ?? "";

/** The line of one machine: the last minute is at the right end, and what was before it ran is left out. */
function pathOf(past: number[], width: number): string {
  const missing = Array.from({ length: Math.max(0, minutes - past.length) }, () => null);
  const values = [...missing, ...past.map(behindAt)];
  return sparkPath(values, width - left, height - 24, 0, 1).line;
}
