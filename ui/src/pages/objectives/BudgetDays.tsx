import type { ObjectiveDetail } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { dayAndMonth } from "../../lib/format";
import { dayState, dayWords, share } from "../../lib/objectives";
import { usePhone } from "../../shell/usePhone";
import classes from "./Objectives.module.css";

/** The last 90 days, 30 on a phone: one image with a sentence, and a table behind it. */
export function BudgetDays({ detail: { status, objective } }: { detail: ObjectiveDetail }) {
  const phone = usePhone();
  const days = status.day_list.slice(phone ? -30 : 0);
  const first = days[0];
  if (!first) return null;
  const total = days.reduce((n, d) => n + d.total, 0);
  const bad = days.reduce((n, d) => n + d.bad, 0);
  const all = total > 0 ? `${share(100 * (1 - bad / total))} in all` : "no data";
  const over = days.filter((d) => ["over", "much"].includes(dayState(d, objective.days))).length;
  return (
    <Panel className={classes.box ?? ""}>
      <h2>
        {`${days.length} days `}
        <small>{all}</small>
        <span className={classes.key}>
          <span data-day="within">a day within its share</span>
          <span data-day="over">over its share</span>
          <span data-day="much">more than 10 % of the budget in a day</span>
          <span data-day="none">no data</span>
        </span>
      </h2>
      <div className={classes.bars} role="img" aria-label={`${days.length} days, ${all}; ${over} over their share.`}>
        {days.map((d) => (
          <span key={d.at} data-day={dayState(d, objective.days)} data-tip={dayWords(d)} />
        ))}
      </div>
      <p className={classes.dates} aria-hidden>
        <span>{dayAndMonth(first.at)}</span>
        <span>today</span>
      </p>
      <details className={classes.table}>
        <summary>As a list</summary>
        <ul>
          {days
            .filter((d) => d.total > 0)
            .map((d) => (
              <li key={d.at}>{dayWords(d)}</li>
            ))}
        </ul>
      </details>
    </Panel>
  );
}
