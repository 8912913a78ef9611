import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, call } from "./client";
import type { Metric } from "./types";
import type { MetricStreams } from "./types.gen";

const pageSize = 200;
/** By name, or those with most streams first. */
export type MetricSort = "" | "streams";

export const metrics = {
  search: (q: string, offset = 0, length = pageSize, sort: MetricSort = "") =>
    queryOptions({
      queryKey: ["metrics", "search", q, offset, length, sort],
      queryFn: ({ signal }) => ask("GET /ui/api/metrics", { query: { q, offset, length, sort }, signal }),
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
      queryFn: ({ signal }) => ask("GET /ui/api/metrics/{name}/uses", { at: { name }, signal }),
    }),
  /** Its streams, and when each was last measured. */
  streams: (name: string) =>
    queryOptions({
      queryKey: ["metrics", "streams", name],
      queryFn: ({ signal }) =>
        call<MetricStreams>("GET", `/v1/metrics/${encodeURIComponent(name)}/streams?length=100`, undefined, signal),
      staleTime: 30_000,
    }),
  save: (name: string, patch: Partial<Metric>) => call<void>("PUT", `/v1/metrics/${encodeURIComponent(name)}`, patch),
  remove: (name: string) => call<void>("DELETE", `/v1/metrics/${encodeURIComponent(name)}`),
};

/** The tags that streams of some metrics have, and their values; no metrics means all. */
export const tags = {
  names: (of: string[]) =>
    queryOptions({
      queryKey: ["tags", "names", of],
      queryFn: async ({ signal }) => {
        const { tags = [] } = await ask("GET /ui/api/tags", { query: { metrics: of.join(",") }, signal });
        return { tags };
      },
      staleTime: 60_000,
    }),
  values: (of: string[], name: string, q = "") =>
    queryOptions({
      queryKey: ["tags", "values", of, name, q],
      queryFn: async ({ signal }) => {
        const { values = [] } = await ask("GET /ui/api/tags", { query: { metrics: of.join(","), name, q }, signal });
        return { values };
      },
      placeholderData: keepPreviousData,
      staleTime: 60_000,
    }),
};
