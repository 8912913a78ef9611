import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { CheckBody, CheckUpdate } from "./ui.gen";

/** Checks from outside, and heartbeats that are called. */
export const checks = {
  all: queryOptions({
    queryKey: ["checks"],
    queryFn: ({ signal }) => ask("GET /ui/api/checks", { signal }),
    refetchInterval: 15_000,
  }),
  create: (body: CheckBody) => ask("POST /ui/api/checks", { body }),
  attempt: (body: CheckUpdate) => ask("POST /ui/api/checks/try", { body }),
  update: (id: number, body: CheckUpdate) => ask("PUT /ui/api/checks/{id}", { at: { id }, body }),
  remove: (id: number) => ask("DELETE /ui/api/checks/{id}", { at: { id } }),
};
