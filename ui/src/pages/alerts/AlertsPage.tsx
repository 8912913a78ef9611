import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { alertList } from "../../api/alerts";
import type { AlertState } from "../../api/types";
import type { AlertSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { Chip, IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { whole } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import classes from "./Alerts.module.css";
import { NoAlerts, NoneInState } from "./AlertsEmpty";
import { AlertTable } from "./AlertTable";
import { EvaluationStatus } from "./EvaluationStatus";
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
          <>
            <Button variant="default" onClick={() => void navigate({ to: "/checks" })}>
              Checks
            </Button>
            {canEdit && (
              <Button leftSection={<IconPlus size={15} stroke={1.6} />} onClick={create}>
                New alert
              </Button>
            )}
          </>
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
              {list.data ? `${s.label} ${whole(all.filter((a) => !s.value || a.state === s.value).length)}` : s.label}
            </Chip>
          ))}
          {list.data && <EvaluationStatus at={list.data.evaluated_at} late={list.data.late} phone={phone} />}
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
