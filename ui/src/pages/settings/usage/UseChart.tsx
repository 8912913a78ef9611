import { useState } from "react";
import type { LimitPast, LimitUse } from "../../../api/ui.gen";
import { palette } from "../../../chart/palette";
import { sparkPath } from "../../../chart/Sparkline";
import { useScheme } from "../../../chart/useScheme";
import { Panel } from "../../../components/Panel";
import { Segments } from "../../../components/Segments";
import { dayAndMonth, number, weekday } from "../../../lib/format";
import { chartOf, chartSentence, type LimitChart, pastDays } from "../../../lib/limitChart";
import { amount } from "../../../lib/limits";
import classes from "./UseChart.module.css";

/** What is worth a large picture: what grows by itself. */
const shown = [
  { value: "streams", label: "Streams" },
  { value: "rate", label: "Measurements" },
  { value: "requests", label: "Requests" },
];

type Props = { limits: LimitUse[]; past: LimitPast[] };

/** Use of a limit over time: 30 days, and where it is going. */
export function UseChart({ limits, past }: Props) {
  const [name, setName] = useState("streams");
  const of = (name: string) => ({ l: limits.find((l) => l.name === name), p: past.find((p) => p.name === name) });
  const there = shown.filter(({ value }) => of(value).l && of(value).p);
  const { l, p } = of(there.some((s) => s.value === name) ? name : (there[0]?.value ?? ""));
  if (!l || !p) return null;
  const chart = chartOf(l, p);
  return (
    <Panel className={classes.panel ?? ""}>
      <div className={classes.head}>
        <h3>{l.title}</h3>
        <small>{`the most of each day, ${pastDays} days and the next ${chart.days.length - pastDays}`}</small>
        {there.length > 1 && <Segments label="Shown" small options={there} value={l.name} onChange={setName} />}
      </div>
      <Picture l={l} chart={chart} said={chartSentence(l, p, chart)} />
    </Panel>
  );
}

const [width, height] = [300, 150];

function Picture({ l, chart, said }: { l: LimitUse; chart: LimitChart; said: string }) {
  const color = palette[0]?.[useScheme()] ?? "currentColor";
  const { line, days, course, last, top } = chart;
  const x = (at: number) => at / (days.length - 1);
  const y = (v: number) => 1 - v / top;
  const { line: path, area } = sparkPath(line, width, height, 0, top);
  const percent = (part: number) => `${part * 100}%`;
  return (
    <div className={classes.chart} role="img" aria-label={said}>
      {chart.lines.map((v) => (
        <span key={v} className={classes.grid} style={{ top: percent(y(v)) }}>
          <span>{number(v)}</span>
        </span>
      ))}
      <span className={classes.ahead} style={{ left: percent(x(pastDays - 1)) }} />
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <path d={area} fill={color} opacity={0.13} />
        <path d={path} stroke={color} />
        {course && (
          <path
            d={`M${x(course.from) * width} ${y(course.use) * height}L${x(course.to) * width} ${y(course.value) * height}`}
            stroke={color}
            strokeDasharray="4 4"
          />
        )}
      </svg>
      {l.limit > 0 && (
        <span
          className={classes.limit}
          data-far={!chart.limited || undefined}
          style={{ top: chart.limited ? percent(y(l.limit)) : 0 }}
        >
          <span>{`limit ${amount(l, l.limit)}${chart.limited ? "" : ", far above"}`}</span>
        </span>
      )}
      {last && (
        <span
          className={classes.dot}
          style={{ left: percent(x(last.at)), top: percent(y(last.use)), background: color }}
        />
      )}
      {course?.reached && (
        <span className={classes.reached} style={{ left: percent(x(course.to)), top: percent(y(course.value)) }}>
          <span>{dayAndMonth(days[Math.round(course.to)] ?? 0)}</span>
        </span>
      )}
      <div className={classes.tips}>
        {line.map((v, i) => (
          <span key={days[i]} data-tip={v === null ? undefined : `${weekday(days[i] ?? 0)}: ${amount(l, v)}`} />
        ))}
      </div>
      <div className={classes.dates}>
        {[0, 10, 20].map((i) => (
          <span key={i} style={{ left: percent(x(i)) }}>
            {dayAndMonth(days[i] ?? 0)}
          </span>
        ))}
        <span style={{ left: percent(x(pastDays - 1)) }}>today</span>
        <span style={{ left: "100%" }}>{dayAndMonth(days.at(-1) ?? 0)}</span>
      </div>
    </div>
  );
}
