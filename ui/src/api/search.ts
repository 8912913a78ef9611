import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, withQuery } from "./client";
import type { AlertState, MetricSummary, SpaceSummary } from "./types";

export type Found = {
  alerts: { id: number; name: string; state: AlertState; since: number }[];
  spaces: SpaceSummary[];
  metrics: MetricSummary[];
};

export const search = (q: string) =>
  queryOptions({
    queryKey: ["search", q],
    queryFn: ({ signal }) => call<Found>("GET", withQuery("/ui/api/search", { q }), undefined, signal),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
