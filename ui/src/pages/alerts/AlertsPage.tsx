import { IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { alertList } from "../../api/alerts";
import type { AlertSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { ErrorCard } from "../../components/problems";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { type AlertFilter, isAsked, type Viewed } from "../../lib/alertFilter";
import { useShortcuts } from "../../shell/shortcuts";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";
import { AlertFilters } from "./AlertFilters";
import { AlertKeys } from "./AlertKeys";
import { AlertNotice } from "./AlertNotice";
import classes from "./Alerts.module.css";
import { NoAlerts, NoneInState } from "./AlertsEmpty";
import { AlertTable } from "./AlertTable";
import { EvaluationStatus } from "./EvaluationStatus";
import { FiringCard } from "./FiringCard";
import { SavedViews } from "./SavedViews";
import { useSelection } from "./useSelection";

const AskToNotify = lazy(() => import("../../devices/AskToNotify"));
const mostCards = 6;

/** All alerts: first those that fire, as cards, then the rest as a table. */
export function AlertsPage() {
  const asked: Viewed = useSearch({ from: "/shell/alerts" });
  const { q = "", ...filter } = asked;
  const { canEdit } = useSession();
  const phone = usePhone();
  const navigate = useNavigate();
  const [searching, setSearching] = useState(q !== "");
  const list = useQuery(alertList("", q));
  const change = (to: Viewed) => void navigate({ to: "/alerts", search: { ...asked, ...to }, replace: true });
  const create = () => void navigate({ to: "/alerts/new" });
  useShortcuts(canEdit ? [{ keys: "c", label: "New alert", run: create }] : []);
  const all = list.data?.alerts ?? [];
  const shown = all.filter((a) => isAsked(a, filter));
  const notice = list.data && <AlertNotice list={list.data} show={(window) => change({ maintenance: window })} />;
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
            {list.data && <EvaluationStatus at={list.data.evaluated_at} late={list.data.late} />}
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
            <SearchField
              value={q}
              onChange={(v) => change({ q: v })}
              placeholder="Name, metric, tag or label"
              keyHint="/"
            />
          )}
          <AlertFilters all={list.data?.alerts} filter={filter} change={change} />
          <SavedViews asked={asked} change={change} />
        </>
      }
    >
      {!phone && notice}
      {list.error && <ErrorCard error={list.error} retry={list.refetch} what="the alerts" />}
      {!list.data && !list.error && <SkeletonRows rows={8} height={54} />}
      {list.data && all.length === 0 && (q ? <EmptyState title={`Nothing matches ${q}.`} /> : <NoAlerts />)}
      {list.data && all.length > 0 && shown.length === 0 && <NoneShown filter={filter} all={all} change={change} />}
      {shown.length > 0 ? <Lists shown={shown} notice={phone && notice} /> : phone && notice}
      <Suspense fallback={null}>{phone && all[0] && <AskToNotify example={all[0].name} />}</Suspense>
    </Page>
  );
}

/** Nothing is in this state, or no alert passes the filters. */
function NoneShown({
  filter,
  all,
  change,
}: {
  filter: AlertFilter;
  all: AlertSummary[];
  change: (f: AlertFilter) => void;
}) {
  const { state = "", severity, label, service, maintenance } = filter;
  if (!severity && !label && !service && !maintenance) return <NoneInState state={state} all={all} />;
  const none = { state: "", severity: "", label: "", service: "", maintenance: "" };
  return (
    <EmptyState
      title="No alert passes these filters."
      actions={
        <Button variant="default" onClick={() => change(none)}>
          Remove filters
        </Button>
      }
    />
  );
}

/** On a phone the notice stands after what nobody has acknowledged. */
function Lists({ shown, notice }: { shown: AlertSummary[]; notice: ReactNode }) {
  const { canEdit } = useSession();
  const phone = usePhone();
  const selects = canEdit && !phone;
  const chosen = useSelection(
    shown.map((a) => a.id),
    selects,
  );
  const selection = selects ? chosen : undefined;
  // On a phone, what somebody has already acknowledged is a row.
  const urgent = shown.filter((a) => a.state === "firing" && !(phone && a.acknowledged_at));
  const asCards = urgent.length <= mostCards && !(selection && selection.size > 0);
  const rows = asCards ? shown.filter((a) => !urgent.includes(a)) : shown;
  const [focused, setFocused] = useState<string>();
  const held = canEdit && shown.find((a) => String(a.id) === focused);
  return (
    <div
      onFocus={(e) => setFocused(e.target.closest<HTMLElement>("[data-alert]")?.dataset.alert)}
      onBlur={() => setFocused(undefined)}
    >
      {held && <AlertKeys key={held.id} alert={held} />}
      {asCards && urgent.length > 0 && (
        <div className={classes.cards}>
          {urgent.map((a) => (
            <FiringCard key={a.id} alert={a} selection={selection} />
          ))}
        </div>
      )}
      {notice}
      {rows.length > 0 && <AlertTable rows={rows} shown={shown} selection={selection} />}
    </div>
  );
}
