import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";
import { resource } from "./resource";
import type { Chart, ChartDraft, Share, SharedSpace, Space, SpaceLayout, SpaceSummary, TagFilter } from "./types";

const base = resource<Space>("spaces");

/** A space that was made without a name has one here. */
const named = <T extends { id: number; name: string | null }>(s: T): T & { name: string } => ({
  ...s,
  name: s.name ?? `Space ${s.id}`,
});

export const spaces = {
  ...base,
  one: (id: number) =>
    queryOptions({
      queryKey: ["spaces", id],
      queryFn: async ({ signal }) => named(await call<Space>("GET", `/v1/spaces/${id}`, undefined, signal)),
    }),
  all: queryOptions({
    queryKey: ["spaces", "all"],
    queryFn: async ({ signal }) => {
      const answer = await call<{ spaces: SpaceSummary[] }>("GET", "/ui/api/spaces", undefined, signal);
      return { ...answer, spaces: answer.spaces.map(named) };
    },
  }),
  layout: (id: number) =>
    queryOptions({
      queryKey: ["spaces", id, "layout"],
      queryFn: ({ signal }) => call<SpaceLayout>("GET", `/ui/api/spaces/${id}/layout`, undefined, signal),
    }),
  saveLayout: (id: number, layout: SpaceLayout) => call<void>("PUT", `/ui/api/spaces/${id}/layout`, layout),
  duplicate: (id: number, name: string) => call<Space>("POST", `/ui/api/spaces/${id}/duplicate`, { name }),
  export: (id: number) => call<unknown>("GET", `/ui/api/spaces/${id}/export`),
  import: (document: unknown) => call<Space>("POST", "/ui/api/spaces/import", document),
  opened: (id: number) => call<void>("PUT", `/ui/api/spaces/${id}/opened`),
  pin: (ids: number[]) => call<void>("PUT", "/ui/api/pins", { spaces: ids }),
};

export const charts = {
  of: (space: number) =>
    queryOptions({
      queryKey: ["spaces", space, "charts"],
      queryFn: ({ signal }) => call<Chart[]>("GET", `/v1/spaces/${space}/charts`, undefined, signal),
    }),
  create: (space: number, draft: ChartDraft) => call<Chart>("POST", `/v1/spaces/${space}/charts`, draft),
  update: (space: number, id: number, draft: Partial<ChartDraft>) =>
    call<Chart>("PUT", `/v1/spaces/${space}/charts/${id}`, draft),
  remove: (space: number, id: number) => call<void>("DELETE", `/v1/spaces/${space}/charts/${id}`),
};

export const shares = {
  of: (space: number) =>
    queryOptions({
      queryKey: ["shares", space],
      queryFn: ({ signal }) => call<{ shares: Share[] }>("GET", `/ui/api/spaces/${space}/shares`, undefined, signal),
    }),
  create: (space: number, draft: { name: string; expires_in: number; locked_tags: TagFilter[] | null }) =>
    call<Share>("POST", `/ui/api/spaces/${space}/shares`, draft),
  revoke: (id: number) => call<void>("DELETE", `/ui/api/shares/${id}`),
  open: (key: string) =>
    queryOptions({
      queryKey: ["shared", key],
      queryFn: ({ signal }) => call<SharedSpace>("GET", `/ui/api/shared/${encodeURIComponent(key)}`, undefined, signal),
      retry: false,
    }),
};
