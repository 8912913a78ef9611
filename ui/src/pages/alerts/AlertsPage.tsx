import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { alertList } from "../../api/alerts";
import { metrics } from "../../api/metrics";
import type { AlertState, AlertSummary } from "../../api/types";
import { Button } from "../../components/Button";
import { Chip, IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { ago, duration, moment } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { AlertTable } from "./AlertTable";
import { FiringCard } from "./FiringCard";

const states: { value: AlertState | ""; label: string }[] = [
  { value: "", label: "All" },
  { value: "firing", label: "Firing" },
  { value: "ok", label: "OK" },
  { value: "snoozed", label: "Snoozed" },
  { value: "inactive", label: "Inactive" },
];
const mostCards = 6;

/** All alerts: first those that fire, as cards, then the rest as a table. */
export function AlertsPage() {
  const { state = "", q = "" } = useSearch({ from: "/shell/alerts" });
  const { canEdit } = useSession();
  const phone = usePhone();
  const navigate = useNavigate();
  const [searching, setSearching] = useState(q !== "");
  const list = useQuery(alertList("", q));
  const search = (change: { state?: string; q?: string }) =>
    navigate({ to: "/alerts", search: { state, q, ...change }, replace: true });
  const create = () => void navigate({ to: "/alerts/new" });
  useShortcuts(canEdit ? [{ keys: "c", label: "New alert", run: create }] : []);
  const all = list.data?.alerts ?? [];
  const shown = all.filter((a) => !state || a.state === state);
  return (
    <Page
      title="Alerts"
      viewOnly={!canEdit}
      tools={
        phone ? (
          <>
            <IconButton label="Search" aria-expanded={searching} onClick={() => setSearching(!searching)}>
              <IconSearch size={20} stroke={1.6} />
            </IconButton>
            {canEdit && (
              <IconButton label="New alert" onClick={create}>
                <IconPlus size={21} stroke={1.6} />
              </IconButton>
            )}
          </>
        ) : (
          canEdit && (
            <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={create}>
              New alert
            </Button>
          )
        )
      }
      filters={
        <>
          {(!phone || searching) && (
            <SearchField value={q} onChange={(v) => search({ q: v })} placeholder="Name, metric or tag" keyHint="/" />
          )}
          {states.map((s) => (
            <Chip
              key={s.value}
              active={state === s.value}
              aria-pressed={state === s.value}
              onClick={() => search({ state: s.value })}
            >
              {`${s.label} ${s.value ? all.filter((a) => a.state === s.value).length : all.length}`}
            </Chip>
          ))}
          {list.data && !phone && <Evaluated at={list.data.evaluated_at} late={list.data.late} />}
        </>
      }
    >
      {list.error && <ErrorCard error={list.error} retry={list.refetch} what="the alerts" />}
      {!list.data && !list.error && <SkeletonRows rows={8} height={54} />}
      {list.data && all.length === 0 && (q ? <EmptyState title={`Nothing matches ${q}.`} /> : <NoAlerts />)}
      {list.data && all.length > 0 && shown.length === 0 && <NoneInState state={state} all={all} />}
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
      {rows.length > 0 && <AlertTable rows={rows} />}
    </>
  );
}

/** "Nothing is firing." and since when. */
function NoneInState({ state, all }: { state: string; all: AlertSummary[] }) {
  if (state !== "firing") return <EmptyState title="None of the alerts is in this state." />;
  const last = Math.max(0, ...all.map((a) => Math.max(a.last_fired_at, ...a.strip.map(([, end]) => end))));
  return (
    <EmptyState title="Nothing is firing.">
      {last > 0 && <p className="t2">{`All quiet since ${moment(last)}.`}</p>}
    </EmptyState>
  );
}

function Evaluated({ at, late }: { at: number; late: number }) {
  if (!at) return null;
  return (
    <span className={classes.evaluated}>
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
  const { data } = useQuery(metrics.search("", 0, 5, "streams"));
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
