import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { ReportUpdate } from "./ui.gen";

/** Pictures of a space that are sent to services by a schedule. */
export const reports = {
  of: (space: number) =>
    queryOptions({
      queryKey: ["spaces", space, "reports"],
      queryFn: async ({ signal }) =>
        (await ask("GET /ui/api/spaces/{space}/reports", { at: { space }, signal })).reports,
    }),
  create: (space: number, body: ReportUpdate) => ask("POST /ui/api/spaces/{space}/reports", { at: { space }, body }),
  update: (id: number, body: ReportUpdate) => ask("PUT /ui/api/reports/{id}", { at: { id }, body }),
  remove: (id: number) => ask("DELETE /ui/api/reports/{id}", { at: { id } }),
  send: (id: number) => ask("POST /ui/api/reports/{id}/send", { at: { id } }),
};
