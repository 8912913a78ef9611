import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { LimitAnswer } from "./ui.gen";

/** What only operators of the server may ask for. It is about no organization. */
export const operator = {
  machines: queryOptions({
    queryKey: ["operator", "machines"],
    queryFn: ({ signal }) => ask("GET /ui/api/operator/machines", { signal, org: "" }),
    refetchInterval: 5000,
  }),
  limits: (q: string) =>
    queryOptions({
      queryKey: ["operator", "limits", q],
      queryFn: ({ signal }) => ask("GET /ui/api/operator/limits", { query: { q }, signal, org: "" }),
      placeholderData: keepPreviousData,
    }),
  createOrg: (name: string) => ask("POST /ui/api/operator/orgs", { body: { name }, org: "" }),
  org: (id: number) =>
    queryOptions({
      queryKey: ["operator", "org", id],
      queryFn: ({ signal }) => ask("GET /ui/api/operator/orgs/{id}/limits", { at: { id }, signal, org: "" }),
    }),
  setLimits: ({ id, limits }: { id: number; limits: Record<string, number | null> }) =>
    ask("PUT /ui/api/operator/orgs/{id}/limits", { at: { id }, body: { limits }, org: "" }),
  answer: ({ id, limit, ...body }: LimitAnswer & { id: number; limit: string }) =>
    ask("PUT /ui/api/operator/orgs/{id}/requests/{limit}", { at: { id, limit }, body, org: "" }),
};
