import type { MaintenancePreview } from "../../api/ui.gen";
import { clock, count, dayAndMonth, duration } from "../../lib/format";
import { covers, type Draft, doesRepeat } from "./draft";
import classes from "./Maintenance.module.css";

type Props = { draft: Draft; preview: MaintenancePreview | undefined; error: unknown };

/** What saving would do, said before it is done. */
export function Consequence({ draft, preview, error }: Props) {
  if (covers.isEmpty(draft.covers)) return null;
  if (error) return null; // said at its field when it is saved
  return (
    <div className={classes.consequence} role="status">
      {preview ? <Sentences draft={draft} preview={preview} /> : "Looking which alerts it covers…"}
    </div>
  );
}

function Sentences({ draft, preview }: { draft: Draft; preview: MaintenancePreview }) {
  const n = preview.alerts.length;
  if (n === 0) return <b>No alert matches. The window would do nothing.</b>;
  const all = n === preview.total && draft.covers.all;
  const when = doesRepeat(draft) ? "when it ends" : `at ${clock(draft.end)}`;
  return (
    <>
      <b>{all ? "This covers every alert." : `${count(n, "alert")} ${n === 1 ? "is" : "are"} covered.`}</b>
      <p>
        {draft.suspends
          ? `${namesOf(preview)} ${n === 1 ? "is" : "are"} not evaluated. What fires before stays so; if ${n === 1 ? "it" : "one"} still does ${when}, it notifies then.`
          : `${namesOf(preview)} ${n === 1 ? "stays" : "stay"} silent. If ${n === 1 ? "it" : "one"} still fires ${when}, it notifies then.`}
      </p>
      {preview.shifts.map((o) => (
        <p key={o.start}>
          {`On ${dayAndMonth(o.start)} this window is ${duration(Math.abs(o.shift ?? 0))} ${(o.shift ?? 0) < 0 ? "shorter" : "longer"}.`}
        </p>
      ))}
    </>
  );
}

/** "a, b and 3 more" */
function namesOf({ alerts }: MaintenancePreview): string {
  const names = alerts.map((a) => a.name);
  if (names.length <= 3) return names.join(", ").replace(/, ([^,]*)$/, " and $1");
  return `${names.slice(0, 2).join(", ")} and ${names.length - 2} more`;
}
