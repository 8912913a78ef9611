import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { ChangesAnswer, ChangesBody, SavedQueryBody } from "./ui.gen";

/** Pages of Explore that the organization keeps. */
export const savedQueries = {
  list: () =>
    queryOptions({
      queryKey: ["saved queries"],
      queryFn: async ({ signal }) => (await ask("GET /ui/api/queries", { signal })).queries,
      staleTime: 60_000,
    }),
  save: (body: SavedQueryBody) => ask("POST /ui/api/queries", { body }),
  remove: (id: number) => ask("DELETE /ui/api/queries/{id}", { at: { id } }),
};

export type Compared = ChangesAnswer & { took: number };

/** What changed in a range of time, and how many milliseconds the answer took. */
export const changes = (body: ChangesBody) =>
  queryOptions({
    queryKey: ["changes", body],
    queryFn: async ({ signal }) => {
      const began = performance.now();
      return { ...(await ask("POST /ui/api/changes", { body, signal })), took: performance.now() - began };
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
