import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { type AuditFilter, org } from "../../api/org";
import { AnchorButton, Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { ErrorCard } from "../../components/problems";
import { SkeletonRows } from "../../components/Skeleton";
import settings from "../../components/settingsPages.module.css";
import table from "../../components/table.module.css";
import classes from "./audit/Audit.module.css";
import { AuditFilters } from "./audit/AuditFilters";
import { AuditRow } from "./audit/AuditRow";
import { SettingsHead } from "./SettingsHead";

type Find = { q?: string; who?: string; from?: string; did?: string; days?: string; before?: string };

/** The audit log: who changed what, when and from where, newest first. */
export function AuditPage() {
  const find: Find = useSearch({ from: "/shell/settings/audit" });
  const navigate = useNavigate();
  const filter = useFilter(find);
  const { data, error, refetch } = useQuery(org.audit(filter));
  const go = (search: Find) => navigate({ to: "/settings/audit", search, replace: search.before === find.before });
  const kept = data ? ` Kept ${data.keep_days} days.` : "";
  return (
    <>
      <SettingsHead
        title="Audit log"
        lead={`Who changed what. It never holds a secret, and nobody can change it.${kept}`}
        action={<Exports filter={filter} />}
      />
      <AuditFilters find={find} change={(to) => go({ ...find, before: "", ...to })} />
      {error && <ErrorCard error={error} retry={refetch} what="the audit log" />}
      {!data && !error && <SkeletonRows rows={8} />}
      {data?.audit.length === 0 && (
        <EmptyState title={`Nothing matches. Entries older than ${data.keep_days} days are gone.`} />
      )}
      {data && data.audit.length > 0 && (
        <>
          <div className={`${table.panel} ${settings.list}`}>
            <div className={classes.heads} aria-hidden>
              <span>When</span>
              <span>Who</span>
              <span>Did</span>
              <span>From</span>
            </div>
            {data.audit.map((e) => (
              <AuditRow key={e.id} entry={e} />
            ))}
          </div>
          <div className={settings.pager} hidden={!find.before && data.next === 0}>
            <Button variant="default" size="xs" disabled={!find.before} onClick={() => go({ ...find, before: "" })}>
              Newest
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={data.next === 0}
              onClick={() => go({ ...find, before: String(data.next) })}
            >
              Older
            </Button>
          </div>
        </>
      )}
    </>
  );
}

/** What the server is asked for. Since is kept while the choice is the same, so that the query is. */
function useFilter({ q, who, from, did, days, before }: Find): AuditFilter {
  const since = useMemo(
    () => (days ? Math.floor(Date.now() / 60_000) * 60 - Number(days) * 86_400 : undefined),
    [days],
  );
  return { q, actor: who, from, action: did, since, before };
}

function Exports({ filter }: { filter: AuditFilter }) {
  const icon = <IconDownload size={15} stroke={1.6} aria-hidden />;
  return (
    <span className={classes.exports}>
      <AnchorButton href={org.auditExport(filter, "csv")} download variant="default" leftSection={icon}>
        Export CSV
      </AnchorButton>
      <AnchorButton href={org.auditExport(filter, "jsonl")} download variant="default">
        Export JSON lines
      </AnchorButton>
    </span>
  );
}
