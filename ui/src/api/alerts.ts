import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, call } from "./client";
import { resource } from "./resource";
import type { Alert, AlertState, Condition, Stream } from "./types";
import type { Backtest, DeliveryList, EscalationStep, IncidentList, TestResults } from "./types.gen";
import type { BulkBody } from "./ui.gen";

export type AlertDraft = {
  name: string;
  description: string | null;
  conditions: Condition[];
  services: number[];
  attributes: { runbook_url?: string };
  active: boolean;
  rearm_seconds: number;
  severity: "" | "critical" | "warning" | "info";
  labels: Record<string, string>;
  escalation: EscalationStep[];
};

export const alertList = (state: AlertState | "" = "", q = "") =>
  queryOptions({
    queryKey: ["alerts", "list", state, q],
    queryFn: ({ signal }) => ask("GET /ui/api/alerts", { query: { state, q }, signal }),
    refetchInterval: 15_000,
  });

export const alerts = {
  ...resource<Alert, AlertDraft>("alerts"),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "detail"],
      queryFn: ({ signal }) => ask("GET /ui/api/alerts/{id}", { at: { id }, signal }),
      refetchInterval: 10_000,
    }),
  incidents: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "incidents"],
      queryFn: async ({ signal }) =>
        (await call<IncidentList>("GET", `/v1/alerts/${id}/incidents?length=50`, undefined, signal)).incidents,
      refetchInterval: 15_000,
    }),
  deliveries: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "deliveries"],
      queryFn: ({ signal }) => call<DeliveryList>("GET", `/v1/alerts/${id}/deliveries?length=50`, undefined, signal),
      refetchInterval: 10_000,
    }),
  delivery: (id: number) =>
    queryOptions({
      queryKey: ["alerts", "delivery", id],
      queryFn: ({ signal }) => ask("GET /ui/api/deliveries/{id}", { at: { id }, signal }),
      refetchInterval: 10_000,
    }),
  /** Conditions that are left out of a change are removed, so they go along. */
  setActive: async ({ id, active }: { id: number; active: boolean }) => {
    const { conditions } = await call<Alert>("GET", `/v1/alerts/${id}`);
    return call<void>("PUT", `/v1/alerts/${id}`, { active, conditions });
  },
  resolve: (id: number) => call<void>("POST", `/v1/alerts/${id}/clear`),
  acknowledge: ({ id, text }: { id: number; text: string }) =>
    call<void>("POST", `/v1/alerts/${id}/acknowledge`, { text }),
  reopen: (id: number) => call<void>("DELETE", `/v1/alerts/${id}/acknowledge`),
  snooze: ({ id, until }: { id: number; until: number | null }) =>
    call<{ id: number }>("POST", `/v1/alerts/${id}/snooze`, until === null ? {} : { until }),
  /** Takes back one snooze; others that somebody planned stay. */
  undoSnooze: ({ id, snooze }: { id: number; snooze: number }) =>
    ask("POST /ui/api/alerts/bulk", { body: { ids: [id], action: "unsnooze", snoozes: [snooze] } }),
  resume: (id: number) => call<void>("DELETE", `/v1/alerts/${id}/snooze`),
  retry: (id: number) => call<unknown>("POST", `/v1/deliveries/${id}/retry`),
  test: (id: number) => call<TestResults>("POST", `/v1/alerts/${id}/test`),
  /** Several at once; one that cannot be changed holds up no other. */
  bulk: (body: BulkBody) => ask("POST /ui/api/alerts/bulk", { body }),
  duplicate: (id: number) => ask("POST /ui/api/alerts/{id}/duplicate", { at: { id } }),
  detach: ({ id, service }: { id: number; service: number }) =>
    call<void>("DELETE", `/v1/alerts/${id}/services/${service}`),
  incident: (id: number) =>
    queryOptions({
      queryKey: ["alerts", "incident", id],
      queryFn: ({ signal }) => ask("GET /ui/api/incidents/{id}", { at: { id }, signal }),
      refetchInterval: 10_000,
    }),
  comment: ({ incident, text }: { incident: number; text: string }) =>
    ask("POST /ui/api/incidents/{id}/comments", { at: { id: incident }, body: { text } }),
  changeComment: ({ incident, comment, text }: { incident: number; comment: number; text: string }) =>
    ask("PUT /ui/api/incidents/{id}/comments/{comment}", { at: { id: incident, comment }, body: { text } }),
  changes: (id: number) =>
    infiniteQueryOptions({
      queryKey: ["alerts", id, "changes"],
      queryFn: ({ signal, pageParam }) =>
        ask("GET /ui/api/alerts/{id}/changes", { at: { id }, query: { before: pageParam || undefined }, signal }),
      initialPageParam: 0,
      getNextPageParam: (last) => last.next,
    }),
  testDraft: (draft: AlertDraft) => ask("POST /ui/api/alerts/test", { body: draft }),
};

/** When a draft would have fired, evaluated by the server over what it has stored. */
export const preview = (draft: AlertDraft, seconds: number, enabled: boolean) =>
  queryOptions({
    queryKey: ["alerts", "preview", seconds, draft.conditions, draft.rearm_seconds],
    queryFn: ({ signal }) => {
      const end = Math.floor(Date.now() / 1000);
      return call<Backtest>(
        "POST",
        "/v1/alerts/preview",
        // Whom it would notify makes no difference, and may be half written.
        {
          alert: { ...draft, name: draft.name || "draft", labels: {}, escalation: [] },
          start_time: end - seconds,
          end_time: end,
        },
        signal,
      );
    },
    placeholderData: keepPreviousData,
    enabled,
    retry: false,
    staleTime: 30_000,
  });

/** What a chart draws to show a condition: the side of each bucket that could have fired. */
export function conditionStream(c: Condition, unit: string): Stream {
  const groups = c.tags.filter((t) => t.grouped);
  const side = c.summary_function || (c.type === "below" ? "min" : c.type === "above" ? "max" : "average");
  return {
    metric: c.metric_name,
    ...(c.tags.length && { tags: c.tags }),
    summary_function: side === "derivative" ? "max" : side,
    group_function: groups.length ? (c.type === "below" ? "min" : "max") : "breakout",
    units_short: unit,
  };
}
