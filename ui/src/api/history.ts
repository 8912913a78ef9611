import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { ask, call, listen } from "./client";
import type { EditorList, HistoryPage, Version } from "./ui.gen";

export type VersionKind = "space" | "chart" | "alert" | "metric";
/** Something of which every version is kept: a number, or the name of a composite. */
export type Thing = { kind: VersionKind; id: number | string };

export const history = {
  list: ({ kind, id }: Thing) =>
    infiniteQueryOptions({
      queryKey: ["history", kind, String(id)],
      queryFn: ({ signal, pageParam }): Promise<HistoryPage> =>
        ask("GET /ui/api/history/{kind}/{id}", { at: { kind, id }, query: { before: pageParam || undefined }, signal }),
      initialPageParam: 0,
      getNextPageParam: (last) => (last.earlier ? last.versions.at(-1)?.number : undefined),
    }),
  version: ({ kind, id }: Thing, number: number) =>
    queryOptions({
      queryKey: ["version", kind, String(id), number],
      queryFn: ({ signal }): Promise<Version> =>
        ask("GET /ui/api/history/{kind}/{id}/versions/{number}", { at: { kind, id, number }, signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  restore: ({ kind, id }: Thing, number: number, seen?: number) =>
    ask("POST /ui/api/history/{kind}/{id}/versions/{number}/restore", {
      at: { kind, id, number },
      body: { ...(seen && { seen }) },
    }),
  /** Calls a version something; nothing takes the name away. */
  name: ({ kind, id }: Thing, number: number, name: string) =>
    ask("PUT /ui/api/history/{kind}/{id}/versions/{number}/name", { at: { kind, id, number }, body: { name } }),
  deleted: queryOptions({
    queryKey: ["history", "deleted"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/deleted", { signal })).deleted,
  }),
};

/**
 * Something to edit, read afresh, and the version it is of. The version is
 * asked for first: what is read then is not older.
 */
export const toEdit = <T>({ kind, id }: Thing, path: string) =>
  queryOptions({
    queryKey: ["editing", kind, String(id)],
    queryFn: async ({ signal }): Promise<{ version: number; thing: T }> => {
      const { version } = await ask("GET /ui/api/history/{kind}/{id}/latest", { at: { kind, id }, signal });
      return { version, thing: await call<T>("GET", path, undefined, signal) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Saves a change of a version, unless there is a later one: 412. */
export const saveSeen = <T>(path: string, body: unknown, seen: number): Promise<T> =>
  call<T>("PUT", path, body, undefined, undefined, undefined, seen);

/** Who else edits something, and its latest version, while an editor of it is open here. */
export const listenEditors = ({ kind, id }: Thing, heard: (list: EditorList) => void): (() => void) =>
  listen(`/ui/api/history/${kind}/${encodeURIComponent(id)}/editors` as "/ui/api/history/{kind}/{id}/editors", {
    editors: heard,
  });
