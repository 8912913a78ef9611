import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiError } from "../../../api/client";
import { playlists } from "../../../api/playlists";
import { ErrorCard } from "../../../components/problems";
import { listenToKeys } from "../../../shell/shortcuts";
import { Gone } from "../SharedPage";
import { GridSkeleton } from "../SpaceView";
import { SharedWall } from "../Wall";
import { Player, useLost } from "./Player";

/** What a link shows, as a wall display: looked at without signing in. */
export function SharedWallPage() {
  const { key } = useParams({ from: "/s/$key/wall" });
  const { data, error, refetch, dataUpdatedAt } = useQuery(playlists.shared(key));
  const { isLost, lose } = useLost(dataUpdatedAt);
  useEffect(listenToKeys, []);
  if (error instanceof ApiError && error.status === 404) return <Gone />;
  return (
    <main id="main">
      {error && !data ? <ErrorCard error={error} retry={() => void refetch()} what="this wall display" /> : null}
      {data ? (
        <Player
          name={data.name}
          turns={data.spaces.map((t) => ({ ...t, gone: t.gone || isLost(t.space) }))}
          show={(turn, extra) => (
            <SharedWall link={key} id={turn.space} tags={turn.tags} onGone={() => lose(turn.space)} {...extra} />
          )}
        />
      ) : (
        <GridSkeleton />
      )}
    </main>
  );
}
