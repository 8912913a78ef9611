import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, call } from "./client";
import { resource } from "./resource";
import type { Chart, ChartDraft, Space } from "./types";
import type { Layout, ShareBody, SpaceAboutUpdate, SpaceDocument } from "./ui.gen";

const base = resource<Space>("spaces");

/** A space that was made without a name has one here. */
export const named = <T extends { id: number; name: string | null }>(s: T): T & { name: string } => ({
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
      const answer = await ask("GET /ui/api/spaces", { signal });
      return { ...answer, spaces: answer.spaces.map(named) };
    },
  }),
  layout: (id: number) =>
    queryOptions({
      queryKey: ["spaces", id, "layout"],
      queryFn: ({ signal }) => ask("GET /ui/api/spaces/{space}/layout", { at: { space: id }, signal }),
    }),
  saveLayout: (id: number, layout: Layout) =>
    ask("PUT /ui/api/spaces/{space}/layout", { at: { space: id }, body: layout }),
  duplicate: (id: number, name: string) =>
    ask("POST /ui/api/spaces/{space}/duplicate", { at: { space: id }, body: { name } }),
  export: (id: number) => ask("GET /ui/api/spaces/{space}/export", { at: { space: id } }),
  /** The server says what is wrong with a file that is something else. */
  import: (file: unknown) => ask("POST /ui/api/spaces/import", { body: file as SpaceDocument }),
  opened: (id: number) => ask("PUT /ui/api/spaces/{space}/opened", { at: { space: id } }),
  about: (id: number, body: SpaceAboutUpdate) => ask("PUT /ui/api/spaces/{space}/about", { at: { space: id }, body }),
  pin: (ids: number[]) => ask("PUT /ui/api/pins", { body: { spaces: ids } }),
};

/** Ready spaces for what arrives. */
export const templates = {
  all: queryOptions({
    queryKey: ["templates"],
    queryFn: ({ signal }) => ask("GET /ui/api/templates", { signal }),
  }),
  make: (name: string) => ask("POST /ui/api/templates/{template}", { at: { template: name } }),
};

export const charts = {
  /** Charts by what they show, wherever they are. */
  search: (q: string) =>
    queryOptions({
      queryKey: ["spaces", "charts", q],
      queryFn: ({ signal }) => ask("GET /ui/api/charts", { query: { q }, signal }),
      placeholderData: keepPreviousData,
    }),
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
      queryFn: ({ signal }) => ask("GET /ui/api/spaces/{space}/shares", { at: { space }, signal }),
    }),
  create: (space: number, body: ShareBody) => ask("POST /ui/api/spaces/{space}/shares", { at: { space }, body }),
  revoke: (id: number) => ask("DELETE /ui/api/shares/{id}", { at: { id } }),
  /** What a link shows: its space, or one of its playlist. */
  open: (key: string, space?: number) =>
    queryOptions({
      queryKey: ["shared", key, space],
      queryFn: ({ signal }) => ask("GET /ui/api/shared/{key}", { at: { key }, query: { space }, signal }),
      retry: false,
    }),
};
