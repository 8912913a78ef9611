import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";

export type Org = { id: number; name: string; created_at: number; retention: { window: number; retention: number }[] };

export const orgQuery = queryOptions({
  queryKey: ["org"],
  queryFn: ({ signal }) => call<Org>("GET", "/ui/api/org", undefined, signal),
  staleTime: 600_000,
});
