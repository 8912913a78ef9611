import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import { resource } from "./resource";
import type { Maintenance, MaintenanceWrite } from "./types.gen";

export type Covers = Maintenance["covers"];

/** Maintenance windows: times in which nobody is notified of some alerts. */
export const maintenance = {
  ...resource<Maintenance, MaintenanceWrite>("maintenance"),
  /** Windows of a time, with when they are on in it. */
  between: (start: number, end: number) =>
    queryOptions({
      queryKey: ["maintenance", "between", start, end],
      queryFn: async ({ signal }) => (await ask("GET /ui/api/maintenance", { query: { start, end }, signal })).windows,
      placeholderData: keepPreviousData,
      refetchInterval: 30_000,
    }),
  /** Puts a window in the place of one time of another, or of that and all later ones: both steps or neither. */
  split: ({ id, ...body }: { id: number; start: number; later: boolean; window: MaintenanceWrite }) =>
    ask("POST /ui/api/maintenance/{id}/split", { at: { id }, body }),
  /** What a window would do. */
  preview: (body: MaintenanceWrite, enabled: boolean) =>
    queryOptions({
      queryKey: ["maintenance", "preview", body],
      queryFn: () => ask("POST /ui/api/maintenance/preview", { body }),
      placeholderData: keepPreviousData,
      enabled,
      retry: false,
    }),
};
