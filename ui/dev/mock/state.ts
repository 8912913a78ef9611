import type { Event } from "../../src/api/types.gen.ts";
import type { AlertSummary, Layout, Share } from "../../src/api/ui.gen.ts";
import { boot } from "./series.ts";

/** Charts are kept as they were sent. */
type Row = Record<string, unknown> & { id: number };
const dyn = { name: "region", dynamic: true };
const prod = { name: "environment", dynamic: true };
const line = (metric: string, more: object = {}) => ({
  metric,
  type: "gauge",
  group_function: "mean",
  tags: [prod, dyn],
  ...more,
});

/** What the mock server keeps; lost when it stops. */
export const state = {
  next: 1000,
  signedIn: true,
  spaces: [
    { id: 1, name: "Checkout production" },
    { id: 2, name: "Hosts" },
    { id: 3, name: "Search" },
    { id: 4, name: "Queue workers" },
    { id: 5, name: "Checkout staging" },
    { id: 6, name: "Empty" },
  ] as { id: number; name: string }[],
  pins: [1, 2, 3, 4],
  opened: new Map<number, number>([[1, boot - 240]]),
  charts: new Map<number, Row[]>([
    [
      1,
      [
        {
          id: 11,
          name: "Requests",
          type: "bignumber",
          thresholds: null,
          use_last_value: true,
          streams: [line("checkout.requests", { units_short: "/s" })],
        },
        {
          id: 12,
          name: "Latency p99",
          type: "bignumber",
          use_last_value: true,
          thresholds: [
            { operator: ">", value: 300, type: "yellow" },
            { operator: ">", value: 500, type: "red" },
          ],
          streams: [line("checkout.latency.p99", { units_short: "ms", summary_function: "max" })],
        },
        {
          id: 13,
          name: "Error ratio",
          type: "bignumber",
          thresholds: null,
          use_last_value: true,
          streams: [
            {
              composite:
                'scale(divide([sum(s("checkout.errors","*")), sum(s("checkout.requests","*"))]), {factor:"100"})',
              type: "composite",
              units_short: "%",
            },
          ],
        },
        {
          id: 14,
          name: "Orders",
          type: "bignumber",
          thresholds: null,
          use_last_value: true,
          streams: [line("checkout.orders", { units_short: "/min" })],
        },
        {
          id: 15,
          name: "Latency by percentile",
          type: "line",
          thresholds: null,
          streams: [
            line("checkout.latency.p50", { name: "p50", units_short: "ms" }),
            line("checkout.latency.p95", { name: "p95", units_short: "ms" }),
            line("checkout.latency.p99", { name: "p99", units_short: "ms" }),
          ],
        },
        {
          id: 16,
          name: "Requests by region",
          type: "stacked",
          label: "per second",
          thresholds: null,
          streams: [
            line("checkout.requests", {
              tags: [prod, { name: "region", grouped: true }],
              group_function: "sum",
              units_long: "per second",
            }),
          ],
        },
        {
          id: 17,
          name: "CPU by host",
          type: "line",
          thresholds: null,
          streams: [line("system.cpu.utilization", { tags: [{ name: "host", grouped: true }], units_short: "%" })],
        },
        {
          id: 18,
          name: "Errors by status",
          type: "stacked",
          label: "per minute",
          thresholds: null,
          streams: [line("checkout.errors", { tags: [{ name: "status", grouped: true }], group_function: "sum" })],
        },
        {
          id: 19,
          name: "Queue depth",
          type: "line",
          label: "jobs, log axis",
          use_log_yaxis: true,
          thresholds: null,
          streams: [line("queue.depth", { tags: [{ name: "queue", grouped: true }] })],
        },
      ],
    ],
  ]),
  layouts: new Map<number, Layout>([
    [
      1,
      {
        layout: [
          ...[11, 12, 13, 14].map((chart, i) => ({ chart, col: i * 3, row: 0, width: 3, height: 2 })),
          { chart: 15, col: 0, row: 2, width: 7, height: 5 },
          { chart: 16, col: 7, row: 2, width: 5, height: 5 },
          ...[17, 18, 19].map((chart, i) => ({ chart, col: i * 4, row: 7, width: 4, height: 5 })),
        ],
        default_tags: [{ name: "environment", values: ["production"] }],
        annotations: ["deploys", "maintenance"],
        updated_at: boot - 7200,
        updated_by: "owner@example.org",
      },
    ],
  ]),
  shares: new Map<number, Share[]>([
    [
      1,
      [
        {
          id: 71,
          space: 1,
          playlist: 0,
          created_by: "owner@example.org",
          name: "Office wall",
          created_at: boot - 86400 * 3,
          expires_at: boot + 86400 * 27,
          last_opened_at: boot - 240,
          locked_tags: null,
        },
      ],
    ],
  ]),
  events: {
    deploys: [
      {
        id: 501,
        title: "deploy checkout 4.18.0",
        description: "First release with the new pay step.",
        source: null,
        start_time: boot - 280 * 60,
        end_time: null,
        links: [{ rel: "build", label: "CI run 812", href: "https://ci.example.org/812" }],
      },
      {
        id: 503,
        title: "deploy checkout 4.18.1",
        description: null,
        source: null,
        start_time: boot - 86 * 60,
        end_time: null,
        links: [],
      },
    ],
    maintenance: [
      {
        id: 502,
        title: "db-01 failover",
        description: "Planned.",
        source: "db-01",
        start_time: boot - 183 * 60,
        end_time: boot - 153 * 60,
        links: [],
      },
    ],
  } as Record<string, Event[]>,
  alerts: [
    {
      id: 31,
      name: "checkout.latency.high",
      words: [{ kind: "words", text: "checkout.latency.p99 max above 250 ms for 5 min" }],
      state: "firing",
      since: boot - 24 * 60,
      last_fired_at: boot - 24 * 60,
      strip: [
        [boot - 178 * 60, boot - 145 * 60],
        [boot - 86 * 60, boot - 39 * 60],
        [boot - 24 * 60, boot],
      ],
      worst: { stream: "region=eu-central", value: 328, unit: "ms" },
      maintained: [],
      suspended: [],
      severity: "",
      labels: {},
      steps: 0,
      threshold: 250,
      services: [{ id: 1, type: "slack", title: "#ops" }],
    },
    {
      id: 32,
      name: "worker.heartbeat.absent",
      words: [{ kind: "words", text: "worker.heartbeat absent for 10 min" }],
      state: "firing",
      since: boot - 124 * 60,
      last_fired_at: boot - 124 * 60,
      strip: [[boot - 124 * 60, boot]],
      maintained: [],
      suspended: [],
      severity: "",
      labels: {},
      steps: 0,
      threshold: null,
      services: [{ id: 2, type: "mail", title: "Ops mail" }],
    },
    {
      id: 33,
      name: "queue.invoice.backlog",
      words: [{ kind: "words", text: "queue.depth above 5,000 and queue.consumers below 2" }],
      state: "ok",
      since: boot - 7200,
      last_fired_at: boot - 7200,
      strip: [[boot - 10.5 * 3600, boot - 9.5 * 3600]],
      maintained: [],
      suspended: [],
      severity: "",
      labels: {},
      steps: 0,
      threshold: 5000,
      services: [{ id: 3, type: "pagerduty", title: "On-call" }],
    },
  ] as AlertSummary[],
};
