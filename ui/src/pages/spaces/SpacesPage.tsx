import { IconChevronRight, IconPlus, IconStar, IconUpload } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
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
import { RelativeTime } from "../../components/RelativeTime";
import { SearchField } from "../../components/SearchField";
import { SkeletonRows } from "../../components/Skeleton";
import { count, whole } from "../../lib/format";
import { useShortcuts } from "../../shell/shortcuts";
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

function List({ rows }: { rows: SpaceSummary[] }) {
  const client = useQueryClient();
  useRows();
  const pin = async (s: SpaceSummary) => {
    const pins = rows.filter((x) => x.pinned).map((x) => x.id);
    await spaces.pin(s.pinned ? pins.filter((p) => p !== s.id) : [...pins, s.id].slice(-8));
    await client.invalidateQueries({ queryKey: spaces.all.queryKey });
  };
  return (
    <Panel>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Charts</th>
            <th scope="col">Opened</th>
            <th>
              <span className="sr">Pinned</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((s) => (
            <tr key={s.id}>
              <td>
                <Link to="/spaces/$id" params={{ id: String(s.id) }} className={classes.name} data-row>
                  {s.name}
                </Link>
                <div className={classes.second}>{count(s.charts, "chart")}</div>
              </td>
              <td className="t2 num">{whole(s.charts)}</td>
              <td className="t2">
                <RelativeTime at={s.opened_at} />
              </td>
              <td>
                <IconButton
                  className={classes.star ?? ""}
                  label={s.pinned ? "Unpin" : "Pin to the sidebar"}
                  active={s.pinned}
                  aria-pressed={s.pinned}
                  onClick={() => void pin(s)}
                >
                  <IconStar size={16} stroke={1.6} />
                </IconButton>
                <IconChevronRight size={16} stroke={1.6} className={classes.chevron} aria-hidden />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
