import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { PlaylistUpdate, ShareBody } from "./ui.gen";

/** Spaces that a screen on the wall shows in turn. */
export const playlists = {
  all: queryOptions({
    queryKey: ["playlists"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/playlists", { signal })).playlists,
  }),
  create: (body: PlaylistUpdate) => ask("POST /ui/api/playlists", { body }),
  update: (id: number, body: PlaylistUpdate) => ask("PUT /ui/api/playlists/{id}", { at: { id }, body }),
  remove: (id: number) => ask("DELETE /ui/api/playlists/{id}", { at: { id } }),
  shares: (id: number) =>
    queryOptions({
      queryKey: ["playlists", id, "shares"],
      queryFn: ({ signal }) => ask("GET /ui/api/playlists/{id}/shares", { at: { id }, signal }),
    }),
  share: (id: number, body: ShareBody) => ask("POST /ui/api/playlists/{id}/shares", { at: { id }, body }),
  /** What a link shows in wall form, looked at again and again: it may have changed. */
  shared: (key: string) =>
    queryOptions({
      queryKey: ["shared", key, "playlist"],
      queryFn: ({ signal }) => ask("GET /ui/api/shared/{key}/playlist", { at: { key }, signal }),
      retry: false,
      refetchInterval: 30_000,
    }),
};
