import type { ObjectiveStatus } from "../../api/ui.gen";
import { Panel } from "../../components/Panel";
import { number, value, whole } from "../../lib/format";
import { share } from "../../lib/objectives";
import classes from "./Objectives.module.css";

/** "118.6 M": in full as long as that is short. */
const many = (n: number) => (n < 1_000_000 ? whole(n) : value(n));

/** The four numbers. */
export function BudgetNumbers({ status: s }: { status: ObjectiveStatus }) {
  const days = s.lasts === null ? null : s.lasts / 86_400;
  return (
    <div className={classes.numbers}>
      <One label="Achieved" n={s.achieved === null ? "–" : share(s.achieved)}>
        {`${many(s.total)} in all, ${many(s.bad)} of them bad`}
      </One>
      <One label="Error budget left" n={s.left === null ? "–" : share(Math.max(0, Math.round(s.left)))}>
        {s.left !== null && s.left < 0
          ? `${share(Math.round(100 - s.left))} of it was spent`
          : `${whole(Math.floor(s.may_fail))} more may fail until it is spent`}
      </One>
      <One label="Burn rate, last hour" n={s.hour_rate === null ? "–" : number(s.hour_rate)} unit="times">
        {`1 is exactly the budget; ${whole(s.burn[0]?.limit ?? 14)} notifies`}
      </One>
      <One label="At this rate it lasts" n={days === null ? "–" : number(days)} unit="days">
        {s.hour_rate === null
          ? "nothing was counted in the last hour"
          : days === null
            ? "nothing failed in the last hour"
            : "or longer, as old bad days leave the window"}
      </One>
    </div>
  );
}

function One({ label, n, unit, children }: { label: string; n: string; unit?: string; children: string }) {
  return (
    <Panel className={classes.number ?? ""}>
      <h2>{label}</h2>
      <p className="num">
        {n}
        {unit && n !== "–" && <small>{` ${unit}`}</small>}
      </p>
      <p className="t2">{children}</p>
    </Panel>
  );
}
