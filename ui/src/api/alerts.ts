import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, withQuery } from "./client";
import { resource } from "./resource";
import type { Alert, AlertState, AlertSummary, Condition, Stream, Words } from "./types";

export type AlertList = { alerts: AlertSummary[]; firing: number; evaluated_at: number; late: number };
export type Violation = {
  stream: string;
  metric: string;
  value: number;
  recorded_at: number;
  condition_violated: number;
  since: number;
};
export type Snooze = { id: number; starts_at: number; until: number | null; by: string; note: string };
export type AlertDetail = AlertSummary & {
  alert: Alert;
  violating: Violation[];
  snoozes: Snooze[];
  incident_key: string;
  max_tries: number;
};
export type AlertIncident = {
  id: number;
  triggered_at: number;
  cleared_at: number | null;
  clear: "normal" | "manual" | "auto" | "edited" | "inactive" | null;
  cleared_by: string | null;
  peak: number | null;
  violations: Violation[];
};
export type Attempt = { at: number; duration_ms: number; ok: boolean; answer: string };
export type Delivery = {
  id: number;
  alert_id: number;
  service_id: number;
  kind: string;
  status: string;
  tries: number;
  created_at: number;
  due_at: number;
  finished_at: number;
  attempts: Attempt[] | null;
};
export type DeliveryDetail = Delivery & {
  message: { content_type: string; body: string; subject?: string; problem?: string };
};
export type AlertDraft = {
  name: string;
  description: string | null;
  conditions: Condition[];
  services: number[];
  attributes: { runbook_url?: string };
  active: boolean;
  rearm_seconds: number;
};
export type Preview = {
  start: number;
  end: number;
  fired: number;
  total_seconds: number;
  longest_seconds: number;
  always: boolean;
  highest: number | null;
  lowest: number | null;
  summaries_until: number;
  incidents: { triggered_at: number; cleared_at: number; peak: number; streams: string[] }[];
  conditions: { words: Words; intervals: [number, number][]; streams_total: number; streams_violating: number }[];
  thresholds: { value: number; fired: number; total_seconds: number }[];
};
export type TestAnswer = { service_id: number; title: string; ok: boolean; answer: string; duration_ms: number };

export const alertList = (state: AlertState | "" = "", q = "") =>
  queryOptions({
    queryKey: ["alerts", "list", state, q],
    queryFn: ({ signal }) => call<AlertList>("GET", withQuery("/ui/api/alerts", { state, q }), undefined, signal),
    refetchInterval: 15_000,
  });

export const alerts = {
  ...resource<Alert, AlertDraft>("alerts"),
  detail: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "detail"],
      queryFn: ({ signal }) => call<AlertDetail>("GET", `/ui/api/alerts/${id}`, undefined, signal),
      refetchInterval: 10_000,
    }),
  incidents: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "incidents"],
      queryFn: async ({ signal }) =>
        (await call<{ incidents: AlertIncident[] }>("GET", `/v1/alerts/${id}/incidents?length=50`, undefined, signal))
          .incidents,
      refetchInterval: 15_000,
    }),
  deliveries: (id: number) =>
    queryOptions({
      queryKey: ["alerts", id, "deliveries"],
      queryFn: ({ signal }) =>
        call<{ query: { found: number }; deliveries: Delivery[] }>(
          "GET",
          `/v1/alerts/${id}/deliveries?length=50`,
          undefined,
          signal,
        ),
      refetchInterval: 10_000,
    }),
  delivery: (id: number) =>
    queryOptions({
      queryKey: ["alerts", "delivery", id],
      queryFn: ({ signal }) => call<DeliveryDetail>("GET", `/ui/api/deliveries/${id}`, undefined, signal),
      refetchInterval: 10_000,
    }),
  /** Conditions that are left out of a change are removed, so they go along. */
  setActive: async ({ id, active }: { id: number; active: boolean }) => {
    const { conditions } = await call<Alert>("GET", `/v1/alerts/${id}`);
    return call<void>("PUT", `/v1/alerts/${id}`, { active, conditions });
  },
  resolve: (id: number) => call<void>("POST", `/v1/alerts/${id}/clear`),
  snooze: ({ id, until }: { id: number; until: number | null }) =>
    call<unknown>("POST", `/v1/alerts/${id}/snooze`, until === null ? {} : { until }),
  resume: (id: number) => call<void>("DELETE", `/v1/alerts/${id}/snooze`),
  retry: (id: number) => call<unknown>("POST", `/v1/deliveries/${id}/retry`),
  test: (id: number) => call<{ results: TestAnswer[] }>("POST", `/v1/alerts/${id}/test`),
  testDraft: (draft: AlertDraft) => call<{ results: TestAnswer[] }>("POST", "/ui/api/alerts/test", draft),
};

/** When a draft would have fired, judged by the server over what it has stored. */
export const preview = (draft: AlertDraft, seconds: number, enabled: boolean) =>
  queryOptions({
    queryKey: ["alerts", "preview", seconds, draft.conditions, draft.rearm_seconds],
    queryFn: ({ signal }) => {
      const end = Math.floor(Date.now() / 1000);
      return call<Preview>(
        "POST",
        "/v1/alerts/preview",
        { alert: { ...draft, name: draft.name || "draft" }, start_time: end - seconds, end_time: end },
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
