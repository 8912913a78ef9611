import { IconPlus, IconStar, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { spaces } from "../../api/spaces";
import type { SpaceSummary } from "../../api/types";
import { Button } from "../../components/Button";
import { IconButton } from "../../components/controls";
import { EmptyState } from "../../components/EmptyState";
import { Page } from "../../components/Page";
import { Panel } from "../../components/Panel";
import { ErrorCard } from "../../components/problems";
import { ReadySpaces } from "../../components/ReadySpaces";
import { RelativeTime } from "../../components/RelativeTime";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { TableHead } from "../../components/TableHead";
import table from "../../components/table.module.css";
import { count, whole } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
import { usePin } from "../../shell/usePin";
import { useRows } from "../../shell/useRows";
import { useSession } from "../../shell/useSession";
import classes from "./Spaces.module.css";

const NewSpace = lazy(() => import("./NewSpace"));

/** All spaces of the organization. */
export function SpacesPage() {
  const { q = "" } = useSearch({ from: "/shell/spaces" });
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const { data, error, refetch } = useQuery(spaces.all);
  const [dialog, setDialog] = useState<"new" | "import" | null>(null);
  const setQ = (text: string) => void navigate({ to: "/spaces", search: { ...(text && { q: text }) }, replace: true });
  useShortcuts(canEdit ? [{ keys: "c", label: "New space", run: () => setDialog("new") }] : []);
  // Where there are none yet, the page itself asks for the first one.
  const none = data?.spaces.length === 0;
  const found = (data?.spaces ?? [])
    .filter((s) => s.name.toLowerCase().includes(q.toLowerCase()))
    .sort((a, b) => Number(b.pinned) - Number(a.pinned) || a.name.localeCompare(b.name));
  return (
    <Page
      title="Spaces"
      viewOnly={!canEdit}
      tools={
        canEdit && (
          <>
            <Button
              variant="default"
              leftSection={<IconUpload size={15} stroke={1.6} />}
              onClick={() => setDialog("import")}
              className={classes.wide ?? ""}
            >
              Import JSON
            </Button>
            {!none && (
              <Button leftSection={<IconPlus size={15} stroke={1.8} />} onClick={() => setDialog("new")}>
                New space
              </Button>
            )}
          </>
        )
      }
      filters={
        <div className={classes.search}>
          <SearchField value={q} onChange={setQ} placeholder="Find a space" keyHint="/" />
        </div>
      }
    >
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the spaces" /> : null}
      {!data && !error && <SkeletonRows rows={5} height={54} />}
      {data && <ReadySpaces />}
      {none && (
        <EmptyState
          title="No spaces yet. A space is a page of charts."
          actions={canEdit && <Button onClick={() => setDialog("new")}>New space</Button>}
        />
      )}
      {data && data.spaces.length > 0 && found.length === 0 && <EmptyState title={`Nothing matches ${q}.`} />}
      {found.length > 0 && <List rows={found} />}
      <Suspense fallback={null}>{dialog && <NewSpace kind={dialog} close={() => setDialog(null)} />}</Suspense>
    </Page>
  );
}

const columns = [
  { label: "Name" },
  { label: "Charts", wide: true, width: "120px" },
  { label: "Opened", wide: true, width: "180px" },
  { label: "Pinned", silent: true, width: "60px" },
];

function List({ rows }: { rows: SpaceSummary[] }) {
  useRows();
  return (
    <Panel>
      <table className={`${table.table} ${classes.rows}`}>
        <TableHead columns={columns} quiet />
        <tbody>
          {rows.map((s) => (
            <Row key={s.id} space={s} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ space: s }: { space: SpaceSummary }) {
  const navigate = useNavigate();
  const pin = usePin(s.id);
  const params = { id: String(s.id) };
  return (
    // The name is the link; the row is a larger target for mouse and thumb.
    <tr data-link onClick={() => void navigate({ to: "/spaces/$id", params })}>
      <td>
        <Link to="/spaces/$id" params={params} className={table.name} data-row onClick={(e) => e.stopPropagation()}>
          {s.name}
        </Link>
        <div className={classes.second}>{count(s.charts, "chart")}</div>
      </td>
      <td className={`t2 num ${table.hide}`}>{whole(s.charts)}</td>
      <td className={`t2 ${table.hide}`}>
        <RelativeTime at={s.opened_at} />
      </td>
      <td className={table.right}>
        <IconButton
          className={classes.star ?? ""}
          label={pin.pinned ? "Unpin" : "Pin to the sidebar"}
          active={pin.pinned}
          aria-pressed={pin.pinned}
          onClick={(e) => {
            e.stopPropagation();
            pin.toggle();
          }}
        >
          <IconStar size={16} stroke={1.6} />
        </IconButton>
      </td>
    </tr>
  );
}
