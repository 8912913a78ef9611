import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { AlertView, SavedViewBody } from "./ui.gen";

/** Filters of the list of alerts that are kept under a name. */
export const alertViews = {
  list: () =>
    queryOptions({
      queryKey: ["alert views"],
      queryFn: async ({ signal }) => (await ask("GET /ui/api/alert_views", { signal })).views,
      staleTime: 60_000,
    }),
  save: ({ shared, ...body }: SavedViewBody & { shared: boolean }) =>
    shared ? ask("POST /ui/api/alert_views/shared", { body }) : ask("POST /ui/api/alert_views", { body }),
  remove: ({ id, shared }: Pick<AlertView, "id" | "shared">) =>
    shared
      ? ask("DELETE /ui/api/alert_views/shared/{id}", { at: { id } })
      : ask("DELETE /ui/api/alert_views/{id}", { at: { id } }),
};
