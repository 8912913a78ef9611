import { useQuery } from "@tanstack/react-query";
import type { Dynamic } from "../api/query";
import { query } from "../api/query";
import { useTime } from "../time/TimeContext";
import { pairIn, type Why, whyEmpty } from "./why";

const none: Dynamic[] = [];

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
  if (!empty) return undefined;
  const nothing = { text: "No points in this range." };
  if (!pair || !data) return nothing;
  return (
    whyEmpty(
      pair,
      pair.parts.map((_, i) => data.results.find((r) => r.id === String(i))?.series.length ?? 0),
    ) ?? nothing
  );
}
