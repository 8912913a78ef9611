import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { org } from "../../api/org";
import { EmptyState } from "../../components/EmptyState";
import { ErrorCard } from "../../components/problems";
import classes from "../../components/Settings.module.css";
import { SkeletonRows } from "../../components/Skeleton";
import { whole } from "../../lib/format";
import { AuditRow } from "./audit/AuditRow";
import { Head } from "./Head";

const pageLength = 50;

/** The audit log: who changed what, when, newest first. */
export function AuditPage() {
  const offset = Number(useSearch({ from: "/shell/settings/audit" }).offset ?? 0) || 0;
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(org.audit(offset));
  const go = (to: number) => navigate({ to: "/settings/audit", search: to > 0 ? { offset: String(to) } : {} });
  return (
    <>
      <Head title="Audit log" lead="Who changed tokens, members and the organization. It never holds a secret." />
      {error && <ErrorCard error={error} retry={refetch} what="the audit log" />}
      {!data && !error && <SkeletonRows rows={8} />}
      {data?.audit.length === 0 && <EmptyState title="Nothing was changed yet." />}
      {data && data.audit.length > 0 && (
        <>
          <div className={`${classes.panel} ${classes.list}`}>
            {data.audit.map((e) => (
              <AuditRow key={e.id} entry={e} />
            ))}
          </div>
          <div className={classes.pager} hidden={data.query.found <= pageLength}>
            <span className="t3">{`${whole(offset + 1)}-${whole(offset + data.audit.length)} of ${whole(data.query.found)}`}</span>
            <Button
              variant="default"
              size="xs"
              disabled={offset === 0}
              onClick={() => go(Math.max(0, offset - pageLength))}
            >
              Newer
            </Button>
            <Button
              variant="default"
              size="xs"
              disabled={offset + data.audit.length >= data.query.found}
              onClick={() => go(offset + pageLength)}
            >
              Older
            </Button>
          </div>
        </>
      )}
    </>
  );
}
