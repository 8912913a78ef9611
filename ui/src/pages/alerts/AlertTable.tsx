import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { AlertSummary } from "../../api/ui.gen";
import { IconButton } from "../../components/controls";
import { Labels } from "../../components/Labels";
import { Menu } from "../../components/Menu";
import { Panel } from "../../components/Panel";
import { Severity } from "../../components/Severity";
import { looksOf, StateIcon } from "../../components/StateIcon";
import { actions, TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { person, shortMoment, stateWords } from "../../lib/alertWords";
import { ago, count, duration, exact } from "../../lib/format";
import { inWords } from "../../lib/sentence";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { BulkBar } from "./BulkBar";
import { QuietPill } from "./Pills";
import parts from "./pillsAndLinks.module.css";
import { Strip } from "./Strip";
import swipe from "./Swipe.module.css";
import { actionWidth, SwipeActions } from "./SwipeActions";
import { Trouble } from "./Trouble";
import { useAlertActions } from "./useAlertActions";
import { useQuickActions } from "./useQuickActions";
import type { Selection } from "./useSelection";
import { useSwipe } from "./useSwipe";

const columns = [
  { label: "State", silent: true },
  { label: "Alert" },
  { label: "Severity", wide: true },
  { label: "Labels", wide: true, className: classes.labels },
  { label: "Last 24 hours", wide: true, width: "13%" },
  { label: "Last fired", wide: true },
  { label: "Notifies", wide: true },
  actions,
];

type Props = {
  rows: AlertSummary[];
  /** Everything that is shown, cards too. */
  shown: AlertSummary[];
  /** Missing for those who may only look, and on a phone. */
  selection?: Selection | undefined;
};

/** One row per alert; on a phone the last day stands under the name. */
export function AlertTable({ rows, shown, selection }: Props) {
  const select = selection && { silent: true, label: "Select", head: <HeadBox shown={shown} selection={selection} /> };
  return (
    <Panel className={classes.list ?? ""}>
      {selection && selection.size > 0 && <BulkBar shown={shown} selection={selection} />}
      <table className={`${table.table} ${classes.rows}`} data-select={selection ? true : undefined}>
        <TableHead columns={select ? [select, ...columns] : columns} quiet />
        <tbody>
          {rows.map((a) => (
            <Row key={a.id} alert={a} selection={selection} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

/** Selects all that is shown, or nothing. */
function HeadBox({ shown, selection }: { shown: AlertSummary[]; selection: Selection }) {
  const all = selection.size === shown.length;
  return (
    <input
      type="checkbox"
      aria-label={all ? "Select none" : `Select all ${shown.length}`}
      checked={all}
      ref={(el) => {
        if (el) el.indeterminate = selection.size > 0 && !all;
      }}
      onChange={() => (all ? selection.clear() : selection.all())}
    />
  );
}

/** Selects one alert; with Shift, all from the one before. */
export function SelectBox({ alert: a, selection }: { alert: AlertSummary; selection: Selection }) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${a.name}`}
      checked={selection.has(a.id)}
      onChange={() => undefined}
      onClick={(e) => selection.toggle(a.id, e.shiftKey)}
    />
  );
}

function Row({ alert: a, selection }: { alert: AlertSummary; selection: Selection | undefined }) {
  const phone = usePhone();
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const off = a.state === "inactive";
  const params = { id: String(a.id) };
  const notified = a.services.map((s) => s.title).join(", ");
  const quick = useQuickActions(a);
  const swiped = useSwipe<HTMLTableRowElement>(phone && canEdit ? quick.length * actionWidth : 0);
  return (
    // The name is the link; the row is a larger target for mouse and thumb.
    <tr
      ref={swiped.place}
      className={phone ? swipe.swipes : undefined}
      {...swiped.props}
      data-link
      data-alert={a.id}
      data-off={off || undefined}
      data-selected={selection?.has(a.id) || undefined}
      onClick={(e) => {
        if (e.shiftKey && selection) return selection.toggle(a.id, true);
        void navigate({ to: "/alerts/$id", params });
      }}
    >
      {selection && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box in it is what keys reach
        <td onClick={(e) => e.stopPropagation()}>
          <SelectBox alert={a} selection={selection} />
        </td>
      )}
      <td>
        <StateIcon state={looksOf(a)} />
      </td>
      <td>
        <Link
          to="/alerts/$id"
          params={params}
          className={`${table.name} ${classes.name}`}
          data-row
          onClick={(e) => e.stopPropagation()}
        >
          {a.name}
        </Link>
        {!phone && <StatePill alert={a} />}
        <div className={`t2 breaks ${classes.sentence}`}>{inWords(a.words)}</div>
        <Trouble alert={a} />
        <div className={classes.when}>
          {stateWords(a)}
          <Strip alert={a} strip={a.strip} />
        </div>
      </td>
      <td className={table.hide}>
        <Severity severity={a.severity} firing={a.state === "firing"} />
      </td>
      <td className={`${table.hide} ${classes.labels}`}>
        <Labels labels={a.labels} most={2} />
      </td>
      <td className={table.hide}>
        <Strip alert={a} strip={a.strip} />
      </td>
      <LastFired alert={a} />
      <td className={`t2 ${table.hide}`}>
        <div className={classes.notifies} title={notified}>
          {notified || "nobody"}
          {a.steps > 0 && <span className="t3">{`, then ${count(a.steps, "step")}`}</span>}
        </div>
      </td>
      <td className={classes.last} {...(canEdit && { onClick: (e) => e.stopPropagation() })}>
        {canEdit ? <RowMenu alert={a} /> : phone && <IconChevronRight size={17} stroke={1.6} aria-hidden />}
        {phone && <SwipeActions actions={quick} isOpen={swiped.isOpen} close={swiped.close} />}
      </td>
    </tr>
  );
}

function LastFired({ alert: a }: { alert: AlertSummary }) {
  if (a.state === "firing")
    return (
      <td className={`${table.hide} ${classes.fired} ${parts.red}`} data-tip={exact(a.since)}>
        {`firing, ${duration(Math.max(60, Date.now() / 1000 - a.since))}`}
      </td>
    );
  return (
    <td
      className={`t2 ${table.hide} ${classes.fired}`}
      {...(a.last_fired_at > 0 && { "data-tip": exact(a.last_fired_at) })}
    >
      {a.last_fired_at ? ago(a.last_fired_at) : "never"}
    </td>
  );
}

function StatePill({ alert: a }: { alert: AlertSummary }) {
  if (a.state === "firing" && a.acknowledged_at)
    return (
      <span className={`${parts.pill} ${classes.state}`}>{`Acknowledged by ${person(a.acknowledged_by ?? "")}`}</span>
    );
  if (a.state === "firing" || (a.state === "ok" && !a.maintenance)) return null;
  const until = a.snoozed_until ? `Snoozed until ${shortMoment(a.snoozed_until)}` : "Snoozed";
  const words = { ok: "In maintenance", snoozed: until, inactive: "Inactive" };
  return <QuietPill className={classes.state}>{words[a.state]}</QuietPill>;
}

/** Everything that can be done to an alert from the list. */
export function RowMenu({ alert: a }: { alert: AlertSummary }) {
  const navigate = useNavigate();
  const act = useAlertActions(a);
  const quick = useQuickActions(a);
  return (
    <Menu
      label={`Actions for ${a.name}`}
      items={[
        { label: "Edit", run: () => void navigate({ to: "/alerts/$id/edit", params: { id: String(a.id) } }) },
        ...quick.map(({ label, run }) => ({ label, run })),
        ...act.reopen,
        act.toggle,
        act.duplicate,
        "line",
        { label: "Delete…", danger: true, run: () => void act.remove() },
      ]}
      target={(p) => (
        <IconButton label={`Actions for ${a.name}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}
