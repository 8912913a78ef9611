import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { viewer } from "../lib/viewer";
import { ask } from "./client";
import { resource } from "./resource";
import type { Objective, ObjectiveWrite } from "./types.gen";

export type ObjectiveView = { days?: string; value?: string };

/** How many percent of what one metric counts another is to count. */
export const objectives = {
  ...resource<Objective, ObjectiveWrite>("objectives"),
  all: queryOptions({
    queryKey: ["objectives", "all"],
    queryFn: ({ signal }) => ask("GET /ui/api/objectives", { signal }),
    refetchInterval: 60_000,
  }),
  /** How one does, over another window than its own or for one value of its tag if asked for. */
  detail: (id: number, view: ObjectiveView = {}) =>
    queryOptions({
      queryKey: ["objectives", id, "detail", view],
      queryFn: ({ signal }) =>
        ask("GET /ui/api/objectives/{id}", { at: { id }, query: { zone: viewer().zone, ...view }, signal }),
      placeholderData: keepPreviousData,
      refetchInterval: 60_000,
    }),
  spent: (id: number, view: ObjectiveView) =>
    queryOptions({
      queryKey: ["objectives", id, "spent", view],
      queryFn: ({ signal }) =>
        ask("GET /ui/api/objectives/{id}/spent", { at: { id }, query: { zone: viewer().zone, ...view }, signal }),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
  /** How one would do, over what is stored. */
  preview: (body: ObjectiveWrite, enabled: boolean) =>
    queryOptions({
      queryKey: ["objectives", "preview", body],
      queryFn: () => ask("POST /ui/api/objectives/preview", { body }),
      placeholderData: keepPreviousData,
      enabled,
      retry: false,
    }),
};
