import { queryOptions } from "@tanstack/react-query";
import { call, withQuery } from "./client";
import type { AlertState, AlertSummary } from "./types";

export type AlertList = { alerts: AlertSummary[]; firing: number; evaluated_at: number; late: number };

export const alertList = (state: AlertState | "" = "", q = "") =>
  queryOptions({
    queryKey: ["alerts", "list", state, q],
    queryFn: ({ signal }) => call<AlertList>("GET", withQuery("/ui/api/alerts", { state, q }), undefined, signal),
    refetchInterval: 15_000,
  });
