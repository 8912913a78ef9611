import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertSummary } from "../../api/ui.gen";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { Panel } from "../../components/Panel";
import { actions, TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { shortMoment } from "../../lib/alertWords";
import { ago, exact } from "../../lib/format";
import { inWords } from "../../lib/sentence";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { useSnooze } from "./Snooze";
import { FiringPill, QuietPill, StateIcon } from "./StateIcon";
import { Strip } from "./Strip";
import { Trouble } from "./Trouble";
import { useAlertActions } from "./useAlertActions";

const columns = [
  { label: "State", silent: true },
  { label: "Alert" },
  { label: "Last 24 hours", wide: true, width: "20%" },
  { label: "Last fired", wide: true },
  { label: "Notifies", wide: true },
  actions,
];

/** One row per alert; on a phone the last day stands under the name. */
export function AlertTable({ rows }: { rows: AlertSummary[] }) {
  return (
    <Panel>
      <table className={`${table.table} ${classes.rows}`}>
        <TableHead columns={columns} quiet />
        <tbody>
          {rows.map((a) => (
            <Row key={a.id} alert={a} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ alert: a }: { alert: AlertSummary }) {
  const phone = usePhone();
  const navigate = useNavigate();
  const off = a.state === "inactive";
  const params = { id: String(a.id) };
  return (
    // The name is the link; the row is a larger target for mouse and thumb.
    <tr data-link data-off={off || undefined} onClick={() => void navigate({ to: "/alerts/$id", params })}>
      <td>
        <StateIcon state={a.state} />
      </td>
      <td>
        <Link
          to="/alerts/$id"
          params={params}
          className={classes.name ?? ""}
          data-row
          onClick={(e) => e.stopPropagation()}
        >
          {a.name}
        </Link>
        <StatePill alert={a} />
        <div className={`t2 ${classes.sentence}`}>{inWords(a.words)}</div>
        <Trouble alert={a} />
        <div className={classes.when}>
          {a.last_fired_at ? `Last fired ${ago(a.last_fired_at)}` : "Has not fired yet"}
          <Strip strip={a.strip} unjudged={a.unjudged} off={off} />
        </div>
      </td>
      <td className={table.hide}>
        <Strip strip={a.strip} unjudged={a.unjudged} off={off} />
      </td>
      <td className={`t2 ${table.hide}`} {...(a.last_fired_at > 0 && { "data-tip": exact(a.last_fired_at) })}>
        {a.last_fired_at ? ago(a.last_fired_at) : "never"}
      </td>
      <td className={`t2 ${table.hide}`}>{a.services.map((s) => s.title).join(", ") || "nobody"}</td>
      <td className={classes.last} {...(!phone && { onClick: (e) => e.stopPropagation() })}>
        {phone ? <IconChevronRight size={17} stroke={1.6} aria-hidden /> : <RowMenu alert={a} />}
      </td>
    </tr>
  );
}

function StatePill({ alert: a }: { alert: AlertSummary }) {
  if (a.state === "ok") return null;
  if (a.state === "firing") return <FiringPill since={a.since} className={classes.state} />;
  const until = a.snoozed_until ? `Snoozed until ${shortMoment(a.snoozed_until)}` : "Snoozed";
  return <QuietPill className={classes.state}>{a.state === "inactive" ? "Inactive" : until}</QuietPill>;
}

function RowMenu({ alert: a }: { alert: AlertSummary }) {
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const act = useAlertActions(a);
  const snooze = useSnooze(a);
  const resume = useChange(["alerts"], alerts.resume);
  if (!canEdit) return null;
  const quiet = {
    ok: { label: "Snooze 1 hour", run: () => snooze.hours(1) },
    firing: { label: "Snooze 1 hour", run: () => snooze.hours(1) },
    snoozed: { label: "Resume", run: () => resume.mutate(a.id) },
    inactive: undefined,
  }[a.state];
  return (
    <Menu
      label={`Actions for ${a.name}`}
      items={[
        { label: "Edit", run: () => void navigate({ to: "/alerts/$id/edit", params: { id: String(a.id) } }) },
        ...(quiet ? [quiet] : []),
        act.toggle,
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
