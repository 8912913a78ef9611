import { useQuery as useLoaded } from "@tanstack/react-query";
import { useMemo } from "react";
import { metrics } from "../../api/metrics";
import type { Stream } from "../../api/types";
import { useAnswer } from "../../chart/useAnswer";
import type { QuerySearch } from "../../lib/explore";
import { questionOf, questionWords, streamOf } from "../../lib/question";
import type { TagSearch } from "../../lib/search";
import type { Mode } from "./QueryForm";
import type { Patch } from "./useQueries";
import { useText } from "./useText";

/** A composite that begins with the metric one was looking at. */
const startFrom = (metric: string | undefined) => (metric ? `s("${metric}", "*")` : undefined);

/** One query of the page: what it asks for, and the answer over the time it has. */
export function useExploreQuery(search: QuerySearch, change: (patch: Patch, replace?: boolean) => void) {
  const mode: Mode = search.q !== undefined || search.view === "composite" ? "composite" : "metric";
  const [text, setText] = useText(search.q, mode === "composite", (q) => {
    const view = search.view === "composite" ? undefined : search.view;
    change({ q: q || undefined, view: q ? view : "composite" }, true);
  });
  const metric = mode === "metric" ? search.metric : undefined;
  const about = useLoaded({ ...metrics.one(metric ?? ""), enabled: metric !== undefined, retry: false });
  const unit = search.unit ?? String(about.data?.attributes.display_units_short ?? "");
  const question = useMemo(() => questionOf(search as TagSearch), [search]);
  const stream = useMemo<Stream | undefined>(() => {
    if (metric) return streamOf(metric, question, unit);
    if (!search.q || mode !== "composite") return undefined;
    return { composite: search.q, type: "composite", ...(search.unit && { units_short: search.unit }) };
  }, [mode, search.q, search.unit, metric, question, unit]);
  const every = search.streams === "all";
  const answer = useAnswer(metric ?? "Composite", stream, every);
  const setMode = (m: Mode) =>
    change(
      m === "metric"
        ? { q: undefined, view: "metric" }
        : { view: "composite", metric: undefined, q: text || startFrom(search.metric) },
    );
  return {
    ...answer,
    metric,
    question,
    stream,
    every: { on: every, set: (on: boolean) => change({ streams: on ? "all" : undefined }) },
    unit: String((!search.unit && about.data?.attributes.display_units_long) || unit),
    title: metric ? questionWords(question) : "Composite",
    asking: {
      mode,
      onMode: setMode,
      text,
      onText: setText,
      error: answer.error,
      empty: mode === "composite" && !answer.error && answer.result?.series.length === 0,
      metric: search.metric,
      question,
      change,
    },
  };
}

export type ExploreQuery = ReturnType<typeof useExploreQuery>;
