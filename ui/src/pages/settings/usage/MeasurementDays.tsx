import type { OrgUsage } from "../../../api/ui.gen";
import { palette } from "../../../chart/palette";
import { useScheme } from "../../../chart/useScheme";
import { dayAndMonth, number, weekday } from "../../../lib/format";
import { daysSentence, lastDays, scaleOf } from "../../../lib/usage";
import classes from "./Usage.module.css";

/** Measurements a day: one column each for the last 30, today's still growing. */
export function MeasurementDays({ days }: { days: OrgUsage["days"] }) {
  const scheme = useScheme();
  const columns = lastDays(days);
  const { top, lines } = scaleOf(columns.map((c) => c.samples));
  const share = (v: number) => `${(v / top) * 100}%`;
  return (
    <div className={classes.chart} role="img" aria-label={daysSentence(columns)}>
      {lines.map((v) => (
        <span key={v} className={classes.grid} style={{ bottom: share(v) }}>
          <span>{number(v)}</span>
        </span>
      ))}
      <div className={classes.columns}>
        {columns.map((c) => (
          <span
            key={c.day}
            className={classes.column}
            data-tip={`${c.today ? "Today so far" : weekday(c.day)}: ${number(c.samples)}`}
          >
            <i
              data-today={c.today}
              style={{ height: share(c.samples), background: palette[0]?.[scheme], minHeight: c.samples > 0 ? 2 : 0 }}
            />
          </span>
        ))}
      </div>
      <div className={classes.ends}>
        {[0, 10, 20].map((i) => (
          <span key={i} style={{ left: `${((i + 0.5) / columns.length) * 100}%` }}>
            {dayAndMonth(columns[i]?.day ?? 0)}
          </span>
        ))}
        <span className={classes.today}>today</span>
      </div>
    </div>
  );
}
