import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { history } from "../../api/history";
import { useChange } from "../../api/resource";
import type { DeletedThing } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { ErrorCard } from "../../components/problems";
import { RelativeTime } from "../../components/RelativeTime";
import { SkeletonRows } from "../../components/Skeleton";
import classes from "../../components/settingsPages.module.css";
import { actions, TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { who } from "../../lib/audit";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import { SettingsHead } from "./SettingsHead";

const kinds = { space: "Space", chart: "Chart", alert: "Alert", metric: "Composite" } as const;
const columns = [{ label: "Name" }, { label: "Deleted by", wide: true }, { label: "Deleted", wide: true }, actions];

/** What was deleted and can still be had back. */
export function DeletedPage() {
  const { canEdit } = useSession();
  const { data, error, refetch } = useQuery(history.deleted);
  return (
    <>
      <SettingsHead
        title="Recently deleted"
        lead="Spaces with their charts, alerts and composites. Each can be restored as it was last."
        viewOnly={!canEdit}
      />
      {error && <ErrorCard error={error} retry={refetch} what="what was deleted" />}
      {!data && !error && <SkeletonRows rows={4} height={54} />}
      {data?.length === 0 && <EmptyState title="Nothing was deleted lately." />}
      {data && data.length > 0 && (
        <div className={table.panel}>
          <table className={table.table}>
            <TableHead columns={columns} />
            <tbody>
              {data.map((d) => (
                <Row key={`${d.kind} ${d.id}`} thing={d} canEdit={canEdit} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}

function Row({ thing: d, canEdit }: { thing: DeletedThing; canEdit: boolean }) {
  const show = useShow();
  // Lists of all kinds have it again.
  const restore = useChange(
    [],
    (_: undefined) => history.restore(d, d.number),
    () => toast(`${d.name || d.id} is restored.`, { action: { label: "Open", run: () => show(d) } }),
  );
  return (
    <tr>
      <td>
        <span className={table.name}>{d.name || d.id}</span>
        <div className="t2">
          {kinds[d.kind]}
          <span className={classes.onlyInline}>
            {`, deleted by ${who(d.actor)} `}
            <RelativeTime at={d.at} />
          </span>
        </div>
      </td>
      <td className={`t2 ${table.hide}`}>{who(d.actor)}</td>
      <td className={table.hide}>
        <RelativeTime at={d.at} />
      </td>
      <td className={table.right}>
        {canEdit && (
          <Button
            variant="default"
            size="xs"
            loading={restore.isPending}
            aria-label={`Restore ${d.name || d.id}`}
            onClick={() =>
              restore.mutate(undefined, { onError: (err: Error) => toast(err.message, { tone: "error" }) })
            }
          >
            Restore
          </Button>
        )}
      </td>
    </tr>
  );
}

/** Leads to something that was restored. */
function useShow() {
  const navigate = useNavigate();
  return ({ kind, id }: DeletedThing) => {
    if (kind === "space") void navigate({ to: "/spaces/$id", params: { id } });
    else if (kind === "alert") void navigate({ to: "/alerts/$id", params: { id } });
    else void navigate({ to: "/metrics", search: { name: id } });
  };
}
