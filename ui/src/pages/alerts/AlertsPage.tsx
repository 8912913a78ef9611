import { Button } from "@mantine/core";
import { IconDots, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { alertList, alerts } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import { useChange } from "../../api/resource";
import type { AlertState, AlertSummary } from "../../api/types";
import { Menu } from "../../components/Menu";
import { Page } from "../../components/Page";
import {
  Chip,
  EmptyState,
  ErrorCard,
  IconButton,
  Panel,
  RelativeTime,
  SearchField,
  SkeletonRows,
} from "../../components/parts";
import { ago, duration } from "../../lib/format";
import { note } from "../../notes/notes";
import { useShortcuts } from "../../shell/shortcuts";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { FiringCard } from "./FiringCard";
import { StateIcon, Strip } from "./parts";

const states: { value: AlertState | ""; label: string }[] = [
  { value: "", label: "All" },
  { value: "firing", label: "Firing" },
  { value: "ok", label: "OK" },
  { value: "snoozed", label: "Snoozed" },
  { value: "inactive", label: "Inactive" },
];
const mostCards = 6;

export function AlertsPage() {
  const { state = "", q = "" } = useSearch({ from: "/shell/alerts" });
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const list = useQuery(alertList("", q));
  const search = (change: { state?: string; q?: string }) =>
    navigate({ to: "/alerts", search: { state, q, ...change }, replace: true });
  useShortcuts(canEdit ? [{ keys: "c", label: "New alert", run: () => void navigate({ to: "/alerts/new" }) }] : []);
  const all = list.data?.alerts ?? [];
  const shown = all.filter((a) => !state || a.state === state);
  return (
    <Page
      title="Alerts"
      viewOnly={!canEdit}
      tools={
        canEdit && (
          <Button component={Link} to="/alerts/new" leftSection={<IconPlus size={15} stroke={1.6} />}>
            New alert
          </Button>
        )
      }
      filters={
        <>
          <SearchField value={q} onChange={(v) => search({ q: v })} placeholder="Name, metric or tag" keyHint="/" />
          {states.map((s) => (
            <Chip key={s.value} active={state === s.value} onClick={() => search({ state: s.value })}>
              {`${s.label} ${s.value ? all.filter((a) => a.state === s.value).length : all.length}`}
            </Chip>
          ))}
          {list.data && <Evaluated at={list.data.evaluated_at} late={list.data.late} />}
        </>
      }
    >
      {list.error && <ErrorCard error={list.error} retry={list.refetch} what="the alerts" />}
      {!list.data && !list.error && <SkeletonRows rows={8} height={54} />}
      {list.data && all.length === 0 && (q ? <EmptyState title={`Nothing matches ${q}.`} /> : <NoAlerts />)}
      {list.data && all.length > 0 && shown.length === 0 && (
        <EmptyState title={state === "firing" ? "Nothing is firing." : "None of the alerts is in this state."} />
      )}
      {shown.length > 0 && <Lists shown={shown} />}
    </Page>
  );
}

function Lists({ shown }: { shown: AlertSummary[] }) {
  const firing = shown.filter((a) => a.state === "firing");
  const asCards = firing.length <= mostCards;
  const rows = asCards ? shown.filter((a) => a.state !== "firing") : shown;
  return (
    <>
      {asCards && firing.length > 0 && (
        <div className={classes.cards}>
          {firing.map((a) => (
            <FiringCard key={a.id} alert={a} />
          ))}
        </div>
      )}
      {rows.length > 0 && (
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
      )}
    </>
  );
}

function Row({ alert: a }: { alert: AlertSummary }) {
  return (
    <tr data-off={a.state === "inactive" || undefined}>
      <td>
        <StateIcon state={a.state} />
      </td>
      <td>
        <Link to="/alerts/$id" params={{ id: String(a.id) }} className={classes.name ?? ""}>
          {a.name}
        </Link>{" "}
        {a.state === "firing" && (
          <span className={classes.pill}>{`Firing for ${duration(Date.now() / 1000 - a.since)}`}</span>
        )}
        {a.state === "snoozed" && (
          <span className={classes.pill} data-tone="quiet">
            Snoozed
          </span>
        )}
        {a.state === "inactive" && (
          <span className={classes.pill} data-tone="quiet">
            Inactive
          </span>
        )}
        <div className={`t2 ${classes.sentence}`}>{a.sentence}</div>
        <div className={classes.when}>
          {a.last_fired_at ? `Last fired ${ago(a.last_fired_at)}` : "Has not fired yet"}
          <Strip strip={a.strip} off={a.state === "inactive"} />
        </div>
      </td>
      <td className={classes.hide}>
        <Strip strip={a.strip} off={a.state === "inactive"} />
      </td>
      <td className={`t2 ${classes.hide}`}>{a.last_fired_at ? ago(a.last_fired_at) : "never"}</td>
      <td className={`t2 ${classes.hide}`}>{a.services.map((s) => s.title).join(", ") || "nobody"}</td>
      <td style={{ textAlign: "right" }}>
        <RowMenu alert={a} />
      </td>
    </tr>
  );
}

function RowMenu({ alert: a }: { alert: AlertSummary }) {
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const update = useChange(["alerts"], alerts.setActive);
  const remove = useChange(["alerts"], alerts.remove);
  if (!canEdit) return null;
  return (
    <Menu
      label={`Actions for ${a.name}`}
      items={[
        { label: "Edit", run: () => void navigate({ to: "/alerts/$id/edit", params: { id: String(a.id) } }) },
        a.state === "inactive"
          ? { label: "Set Active", run: () => update.mutate({ id: a.id, active: true }) }
          : { label: "Set Inactive", run: () => update.mutate({ id: a.id, active: false }) },
        "line",
        {
          label: "Delete…",
          danger: true,
          run: () => {
            if (window.confirm(`Delete ${a.name}? Its incidents and deliveries go with it. This cannot be undone.`))
              void remove.mutateAsync(a.id).then(
                () => note(`${a.name} is deleted.`), // the row is gone by then
                (err: Error) => note(err.message, { tone: "error" }),
              );
          },
        },
      ]}
      target={(p) => (
        <IconButton label={`Actions for ${a.name}`} {...p}>
          <IconDots size={17} stroke={1.6} />
        </IconButton>
      )}
    />
  );
}

function Evaluated({ at, late }: { at: number; late: number }) {
  if (!at) return null;
  return (
    <span className="t3" style={{ marginLeft: "auto" }}>
      {late > 60 ? (
        <span className={classes.amb}>{`Evaluation is ${duration(late)} late.`}</span>
      ) : (
        <>
          Evaluated <RelativeTime at={at} />, on time
        </>
      )}
    </span>
  );
}

function NoAlerts() {
  const { data } = useQuery(metrics.search("", 0, 5));
  return (
    <EmptyState
      title="No alerts yet. Start from a metric you already watch."
      actions={data?.metrics.map((m) => (
        <Link key={m.name} to="/alerts/new" search={{ metric: m.name }} className="mono">
          {m.name}
          {m.last_at > 0 && <span className="t3">{` ${ago(m.last_at)}`}</span>}
        </Link>
      ))}
    />
  );
}
