import { IconChevronRight, IconDots } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import type { AlertSummary } from "../../api/types";
import { IconButton } from "../../components/controls";
import { Menu } from "../../components/Menu";
import { Panel } from "../../components/Panel";
import { ago, duration, exact } from "../../lib/format";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { StateIcon, Strip } from "./parts";
import { snoozeEnd } from "./StateBand";
import { useAlertActions } from "./useAlertActions";

/** One row per alert; on a phone the last day stands under the name. */
export function AlertTable({ rows }: { rows: AlertSummary[] }) {
  return (
    <Panel>
      <table className={classes.table}>
        <thead>
          <tr>
            <th>
              <span className="sr">State</span>
            </th>
            <th>Alert</th>
            <th className={classes.hide} style={{ width: "20%" }}>
              Last 24 hours
            </th>
            <th className={classes.hide}>Last fired</th>
            <th className={classes.hide}>Notifies</th>
            <th>
              <span className="sr">Actions</span>
            </th>
          </tr>
        </thead>
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
  const open = () => void navigate({ to: "/alerts/$id", params: { id: String(a.id) } });
  return (
    // The name is the link; a thumb may hit the row anywhere.
    <tr data-off={off || undefined} {...(phone && { onClick: open })}>
      <td>
        <StateIcon state={a.state} />
      </td>
      <td>
        <Link to="/alerts/$id" params={{ id: String(a.id) }} className={classes.name ?? ""} data-row>
          {a.name}
        </Link>
        <StatePill alert={a} />
        <div className={`t2 ${classes.sentence}`}>{a.sentence}</div>
        <div className={classes.when}>
          {a.last_fired_at ? `Last fired ${ago(a.last_fired_at)}` : "Has not fired yet"}
          <Strip strip={a.strip} off={off} />
        </div>
      </td>
      <td className={classes.hide}>
        <Strip strip={a.strip} off={off} />
      </td>
      <td className={`t2 ${classes.hide}`} {...(a.last_fired_at > 0 && { "data-tip": exact(a.last_fired_at) })}>
        {a.last_fired_at ? ago(a.last_fired_at) : "never"}
      </td>
      <td className={`t2 ${classes.hide}`}>{a.services.map((s) => s.title).join(", ") || "nobody"}</td>
      <td className={classes.last}>
        {phone ? <IconChevronRight size={17} stroke={1.6} aria-hidden /> : <RowMenu alert={a} />}
      </td>
    </tr>
  );
}

function StatePill({ alert: a }: { alert: AlertSummary }) {
  if (a.state === "ok") return null;
  if (a.state === "firing")
    return <span className={classes.pill}>{`Firing for ${duration(Math.max(60, Date.now() / 1000 - a.since))}`}</span>;
  const words =
    a.state === "inactive" ? "Inactive" : a.snoozed_until ? `Snoozed until ${snoozeEnd(a.snoozed_until)}` : "Snoozed";
  return (
    <span className={classes.pill} data-tone="quiet">
      {words}
    </span>
  );
}

function RowMenu({ alert: a }: { alert: AlertSummary }) {
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const act = useAlertActions(a);
  if (!canEdit) return null;
  return (
    <Menu
      label={`Actions for ${a.name}`}
      items={[
        { label: "Edit", run: () => void navigate({ to: "/alerts/$id/edit", params: { id: String(a.id) } }) },
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
