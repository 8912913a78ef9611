import { IconPlus, IconStar, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { spaces } from "../../api/spaces";
import type { SpaceSummary } from "../../api/types";
import { Button } from "../../components/Button";
import { Chip, IconButton, Tag } from "../../components/controls";
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
import { person } from "../../lib/alertWords";
import { count, whole } from "../../lib/format";
import { listed, type SpaceListing } from "../../lib/spaceList";
import { useShortcuts } from "../../shell/shortcuts";
import { usePin } from "../../shell/usePin";
import { useRows } from "../../shell/useRows";
import { useSession } from "../../shell/useSession";
import { SpaceFilters } from "./SpaceFilters";
import classes from "./Spaces.module.css";

const NewSpace = lazy(() => import("./NewSpace"));
const FoundCharts = lazy(() => import("./FoundCharts"));
const mostTags = 3;

/** All spaces of the organization. */
export function SpacesPage() {
  const asked = useSearch({ from: "/shell/spaces" });
  const { q = "" } = asked;
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const { data, error, refetch } = useQuery(spaces.all);
  const [dialog, setDialog] = useState<"new" | "import" | null>(null);
  const change = (to: SpaceListing) => void navigate({ to: "/spaces", search: { ...asked, ...to }, replace: true });
  useShortcuts(canEdit ? [{ keys: "c", label: "New space", run: () => setDialog("new") }] : []);
  // Where there are none yet, the page itself asks for the first one.
  const none = data?.spaces.length === 0;
  const found = listed(data?.spaces ?? [], asked);
  return (
    <Page
      title="Spaces"
      viewOnly={!canEdit}
      tools={
        <>
          <Button variant="default" onClick={() => void navigate({ to: "/playlists" })} className={classes.wide ?? ""}>
            Playlists
          </Button>
          {canEdit && (
            <Button
              variant="default"
              leftSection={<IconUpload size={15} stroke={1.6} />}
              onClick={() => setDialog("import")}
              className={classes.wide ?? ""}
            >
              Import JSON
            </Button>
          )}
          {canEdit && !none && (
            <Button leftSection={<IconPlus size={15} stroke={1.8} />} onClick={() => setDialog("new")}>
              New space
            </Button>
          )}
        </>
      }
      filters={
        <>
          <div className={classes.search}>
            <SearchField
              value={q}
              onChange={(text) => change({ q: text })}
              placeholder="Space, chart or metric"
              keyHint="/"
            />
          </div>
          {data && !none && <SpaceFilters all={data.spaces} asked={asked} change={change} />}
          <Chip className={classes.narrow ?? ""} onClick={() => void navigate({ to: "/playlists" })}>
            Playlists
          </Chip>
        </>
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
      {data && !none && found.length === 0 && !q && (
        <EmptyState
          title="No space passes these filters."
          actions={
            <Button variant="default" onClick={() => change({ tag: "", owner: "" })}>
              Remove filters
            </Button>
          }
        />
      )}
      {found.length > 0 && <List rows={found} sort={asked.sort ?? ""} onSort={(sort) => change({ sort })} />}
      {data && q && (
        <Suspense fallback={null}>
          <FoundCharts q={q} none={found.length === 0} />
        </Suspense>
      )}
      <Suspense fallback={null}>{dialog && <NewSpace kind={dialog} close={() => setDialog(null)} />}</Suspense>
    </Page>
  );
}

const columns = [
  { label: "Name", by: "name" },
  { label: "Tags", wide: true },
  { label: "Owner", wide: true, by: "owner" },
  { label: "Charts", wide: true, by: "charts" },
  { label: "Edited", wide: true, by: "edited" },
  { label: "Opened", wide: true, by: "opened" },
  { label: "Pinned", silent: true, width: "60px" },
];

type ListProps = { rows: SpaceSummary[]; sort: string; onSort: (sort: string) => void };

function List({ rows, sort, onSort }: ListProps) {
  useRows();
  return (
    <Panel>
      <table className={`${table.table} ${classes.rows}`}>
        <TableHead columns={columns} sort={sort} onSort={onSort} quiet />
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
        <div className={classes.second}>{[count(s.charts, "chart"), ...s.tags].join(", ")}</div>
      </td>
      <td className={table.hide}>
        <span className={classes.tags} {...(s.tags.length > mostTags && { "data-tip": s.tags.join(", ") })}>
          {s.tags.slice(0, mostTags).map((t) => (
            <Tag key={t}>{t}</Tag>
          ))}
          {s.tags.length > mostTags && <span className="t3">{`+ ${s.tags.length - mostTags}`}</span>}
        </span>
      </td>
      <td className={`t2 ${classes.who} ${table.hide}`}>
        <span className="cut" data-tip={s.owner_name || undefined}>
          {s.owner_name}
        </span>
      </td>
      <td className={`t2 num ${table.hide}`}>{whole(s.charts)}</td>
      <td className={`t2 ${classes.who} ${table.hide}`}>
        <RelativeTime at={s.edited_at} />
        {s.edited_by && <div className={`t3 cut ${classes.by}`}>{`by ${person(s.edited_by)}`}</div>}
      </td>
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
