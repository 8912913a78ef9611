import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { playlists } from "../../../api/playlists";
import { spaces } from "../../../api/spaces";
import { Missing } from "../../../components/Failed";
import { ErrorCard } from "../../../components/problems";
import { GridSkeleton } from "../SpaceView";
import { OwnWall } from "../Wall";
import { Player, useLost } from "./Player";

const again = { refetchInterval: 30_000 };

/** Plays a playlist on the wall. */
export function PlayPage() {
  const { id } = useParams({ from: "/bare/playlists/$id/play" });
  const navigate = useNavigate();
  const all = useQuery({ ...playlists.all, ...again });
  const there = useQuery({ ...spaces.all, ...again });
  const { isLost, lose } = useLost(there.dataUpdatedAt);
  const error = all.error ?? there.error;
  if (error && !(all.data && there.data))
    return (
      <ErrorCard error={error} retry={() => void Promise.all([all.refetch(), there.refetch()])} what="this playlist" />
    );
  if (!all.data || !there.data) return <GridSkeleton />;
  const list = all.data.find((p) => p.id === Number(id));
  if (!list) return <Missing />;
  const known = new Set(there.data.spaces.map((s) => s.id));
  return (
    <Player
      name={list.name}
      turns={list.spaces.map((t) => ({ ...t, gone: !known.has(t.space) || isLost(t.space) }))}
      leave={() => void navigate({ to: "/playlists" })}
      show={(turn, extra) => (
        <OwnWall id={turn.space} tags={turn.tags ?? []} onGone={() => lose(turn.space)} {...extra} />
      )}
    />
  );
}
