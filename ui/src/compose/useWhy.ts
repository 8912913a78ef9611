import { useQueries, useQuery } from "@tanstack/react-query";
import { metrics } from "../api/metrics";
import type { Dynamic } from "../api/query";
import { query } from "../api/query";
import { useTime } from "../time/TimeContext";
import { metricsIn, noMetric, pairIn, type Why, whyEmpty } from "./why";

const none: Dynamic[] = [];
const most = 5;

/** The first metric of an expression that there is none of. */
function useUnknown(text: string): Why | undefined {
  return useQueries({
    queries: metricsIn(text).map((name) => metrics.search(name, 0, most)),
    combine: (all) => {
      const names = metricsIn(text);
      const at = all.findIndex((q, i) => q.data && !q.isPlaceholderData && !hasMetric(q.data, names[i] ?? ""));
      return at < 0 ? undefined : noMetric(names[at] ?? "", all[at]?.data?.did_you_mean || undefined);
    },
  });
}

/** Whether a metric is among those that were found, or may be among those that were left out. */
const hasMetric = (found: { metrics: { name: string }[] }, name: string) =>
  found.metrics.length === most || found.metrics.some((m) => m.name === name);

/** Nothing came back: why. Each argument is asked for by itself, only then. */
export function useWhy(text: string, empty: boolean, dynamic: Dynamic[] = none): Why | undefined {
  const { start, end, step } = useTime().window;
  const pair = empty ? pairIn(text) : undefined;
  const { data } = useQuery({
    queryKey: ["why", text, dynamic, step],
    queryFn: ({ signal }) =>
      query(
        {
          start,
          end,
          resolution: step,
          dynamic,
          queries: pair?.parts.map((p, i) => ({ id: String(i), composite: p.text })) ?? [],
        },
        signal,
      ),
    enabled: pair !== undefined,
    retry: false,
    staleTime: 60_000,
  });
  const unknown = useUnknown(empty ? text : "");
  if (!empty) return undefined;
  if (unknown) return unknown;
  const nothing = { text: "No points in this range." };
  if (!pair || !data) return nothing;
  return (
    whyEmpty(
      pair,
      pair.parts.map((_, i) => data.results.find((r) => r.id === String(i))?.series.length ?? 0),
    ) ?? nothing
  );
}
