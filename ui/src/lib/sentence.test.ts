import { expect, test } from "vitest";
import type { Condition } from "../api/types";
import { alertSentence } from "./sentence";

const latency: Condition = {
  type: "above",
  metric_name: "checkout.latency.p99",
  threshold: 250,
  summary_function: "max",
  duration: 300,
  tags: [{ name: "region", grouped: true }],
};
const units: Record<string, string> = { "checkout.latency.p99": "ms", Errors: "%" };

// The same sentences as in sentence_test.go.
test.each<[string, Condition[], string]>([
  ["nothing", [], "no conditions: it never fires"],
  ["grouped", [latency], "checkout.latency.p99 max above 250 ms for 5 min, per region"],
  ["at once", [{ type: "below", metric_name: "free", threshold: 0.5, tags: [] }], "free below 0.5"],
  [
    "average goes without saying",
    [{ type: "below", metric_name: "free", threshold: 1e9, summary_function: "average", tags: [] }],
    "free below 1000000000",
  ],
  [
    "absent",
    [{ type: "absent", metric_name: "beat", threshold: 0, duration: 5400, tags: [] }],
    "beat absent for 1 h 30 min",
  ],
  [
    "values",
    [
      {
        type: "above",
        metric_name: "cpu",
        threshold: 90,
        tags: [
          { name: "env", values: ["prod*", "stage"] },
          { name: "host", values: ["!web1"] },
          { name: "az", values: ["*"] },
        ],
      },
    ],
    "cpu above 90, env prod* or stage, host not web1",
  ],
  [
    "two",
    [latency, { type: "above", metric_name: "Errors", threshold: 3, summary_function: "absolute_value", tags: [] }],
    "checkout.latency.p99 max above 250 ms for 5 min, per region, and Errors absolute value above 3 %",
  ],
])("%s", (_, conditions, want) => expect(alertSentence(conditions, (m) => units[m] ?? "")).toBe(want));
