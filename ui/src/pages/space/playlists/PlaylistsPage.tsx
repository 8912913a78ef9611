import { IconDots, IconPlus } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { playlists } from "../../../api/playlists";
import type { Playlist } from "../../../api/ui.gen";
import { Button } from "../../../components/Button";
import { useConfirm } from "../../../components/confirm";
import { IconButton } from "../../../components/controls";
import { EmptyState } from "../../../components/EmptyState";
import { Menu } from "../../../components/Menu";
import { Page } from "../../../components/Page";
import { Panel } from "../../../components/Panel";
import { ErrorCard } from "../../../components/problems";
import { SkeletonRows } from "../../../components/Skeleton";
import { TableHead } from "../../../components/TableHead";
import table from "../../../components/table.module.css";
import { person } from "../../../lib/alertWords";
import { count, duration, whole } from "../../../lib/format";
import { useRows } from "../../../shell/useRows";
import { useSession } from "../../../shell/useSession";
import { toast } from "../../../toasts/toast";
import classes from "./Playlists.module.css";

const SharePlaylist = lazy(() => import("../ShareDialog").then((m) => ({ default: m.SharePlaylist })));

/** The playlists of the organization. */
export function PlaylistsPage() {
  const { canEdit } = useSession();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(playlists.all);
  const [sharing, setSharing] = useState<Playlist>();
  const add = () => void navigate({ to: "/playlists/$id", params: { id: "new" } });
  return (
    <Page
      title="Playlists"
      parent={{ to: "/spaces", label: "Spaces" }}
      crumb
      viewOnly={!canEdit}
      tools={
        canEdit &&
        data?.length !== 0 && (
          <Button leftSection={<IconPlus size={15} stroke={1.8} />} onClick={add}>
            New playlist
          </Button>
        )
      }
    >
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="the playlists" /> : null}
      {!data && !error && <SkeletonRows rows={3} height={54} />}
      {data?.length === 0 && (
        <EmptyState
          title="No playlists yet. A playlist shows spaces in turn, on a screen on the wall."
          actions={canEdit && <Button onClick={add}>New playlist</Button>}
        />
      )}
      {data && data.length > 0 && <List rows={data} canEdit={canEdit} share={setSharing} />}
      <Suspense fallback={null}>
        {sharing && <SharePlaylist playlist={sharing} close={() => setSharing(undefined)} />}
      </Suspense>
    </Page>
  );
}

const columns = [
  { label: "Name" },
  { label: "Spaces", wide: true },
  { label: "Takes", wide: true },
  { label: "Made by", wide: true },
  { label: "Actions", silent: true, width: "60px" },
];

type ListProps = { rows: Playlist[]; canEdit: boolean; share: (p: Playlist) => void };

function List({ rows, canEdit, share }: ListProps) {
  useRows();
  return (
    <Panel>
      <table className={table.table}>
        <TableHead columns={columns} quiet />
        <tbody>
          {rows.map((p) => (
            <Row key={p.id} playlist={p} canEdit={canEdit} share={() => share(p)} />
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function Row({ playlist: p, canEdit, share }: { playlist: Playlist; canEdit: boolean; share: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const confirm = useConfirm();
  const params = { id: String(p.id) };
  const play = () => void navigate({ to: "/playlists/$id/play", params });
  const remove = async () => {
    const sure = await confirm({
      title: `Delete ${p.name}?`,
      text: "The links to it no longer open. Its spaces stay.",
      action: "Delete playlist",
      danger: true,
      act: () => playlists.remove(p.id),
    });
    if (!sure) return;
    toast(`${p.name} deleted`);
    await client.invalidateQueries({ queryKey: playlists.all.queryKey });
  };
  const seconds = p.spaces.reduce((sum, t) => sum + t.seconds, 0);
  return (
    <tr data-link onClick={play}>
      <td>
        <Link
          to="/playlists/$id/play"
          params={params}
          className={table.name}
          data-row
          onClick={(e) => e.stopPropagation()}
        >
          {p.name}
        </Link>
        <div className={`${classes.second} ${table.only ?? ""}`}>{count(p.spaces.length, "space")}</div>
      </td>
      <td className={`t2 num ${table.hide}`}>{whole(p.spaces.length)}</td>
      <td className={`t2 ${table.hide}`}>{duration(seconds)}</td>
      <td className={`t2 ${table.hide}`}>{person(p.created_by)}</td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the menu in it has its own keys */}
      <td className={table.right} onClick={(e) => e.stopPropagation()}>
        <Menu
          label={`Actions for ${p.name}`}
          target={(t) => (
            <IconButton label={`Actions for ${p.name}`} {...t}>
              <IconDots size={18} stroke={1.6} />
            </IconButton>
          )}
          items={[
            { label: "Play", run: play },
            ...(canEdit
              ? [
                  { label: "Edit…", run: () => void navigate({ to: "/playlists/$id", params }) },
                  { label: "Share…", run: share },
                  "line" as const,
                  { label: "Delete…", danger: true, run: () => void remove() },
                ]
              : []),
          ]}
        />
      </td>
    </tr>
  );
}
