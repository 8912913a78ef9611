import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";

export const functions = queryOptions({
  queryKey: ["compose", "functions"],
  queryFn: ({ signal }) => ask("GET /ui/api/compose/functions", { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const check = (composite: string, signal?: AbortSignal) =>
  ask("POST /ui/api/compose/check", { body: { composite }, signal });
