import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, withQuery } from "./client";
import type { Metric, MetricSummary } from "./types";

export type MetricPage = {
  query: { found: number; total: number; offset: number; length: number };
  metrics: MetricSummary[];
  did_you_mean?: string;
};

const pageSize = 200;
/** By name, or those with most streams first. */
export type MetricSort = "" | "streams";

export const metrics = {
  search: (q: string, offset = 0, length = pageSize, sort: MetricSort = "") =>
    queryOptions({
      queryKey: ["metrics", "search", q, offset, length, sort],
      queryFn: ({ signal }) =>
        call<MetricPage>("GET", withQuery("/ui/api/metrics", { q, offset, length, sort }), undefined, signal),
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    }),
  one: (name: string) =>
    queryOptions({
      queryKey: ["metrics", "one", name],
      queryFn: ({ signal }) => call<Metric>("GET", `/v1/metrics/${encodeURIComponent(name)}`, undefined, signal),
    }),
  uses: (name: string) =>
    queryOptions({
      queryKey: ["metrics", "uses", name],
      queryFn: ({ signal }) =>
        call<{ spaces: { id: number; name: string }[]; alerts: { id: number; name: string }[] }>(
          "GET",
          `/ui/api/metrics/${encodeURIComponent(name)}/uses`,
          undefined,
          signal,
        ),
    }),
  /** Its streams, and when each was last heard of. */
  streams: (name: string) =>
    queryOptions({
      queryKey: ["metrics", "streams", name],
      queryFn: ({ signal }) =>
        call<{ streams: { tags: Record<string, string>; last_seen: number | null }[] }>(
          "GET",
          `/v1/metrics/${encodeURIComponent(name)}/streams?length=100`,
          undefined,
          signal,
        ),
      staleTime: 30_000,
    }),
  save: (name: string, patch: Partial<Metric>) => call<void>("PUT", `/v1/metrics/${encodeURIComponent(name)}`, patch),
  remove: (name: string) => call<void>("DELETE", `/v1/metrics/${encodeURIComponent(name)}`),
};

export type TagName = { name: string; values: number; streams: number };
export type TagValue = { value: string; streams: number };

/** The tags that streams of some metrics have, and their values; no metrics means all. */
export const tags = {
  names: (of: string[]) =>
    queryOptions({
      queryKey: ["tags", "names", of],
      queryFn: ({ signal }) =>
        call<{ tags: TagName[] }>("GET", withQuery("/ui/api/tags", { metrics: of.join(",") }), undefined, signal),
      staleTime: 60_000,
    }),
  values: (of: string[], name: string, q = "") =>
    queryOptions({
      queryKey: ["tags", "values", of, name, q],
      queryFn: ({ signal }) =>
        call<{ values: TagValue[] }>(
          "GET",
          withQuery("/ui/api/tags", { metrics: of.join(","), name, q }),
          undefined,
          signal,
        ),
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
};
