import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { type Earlier, usePastSeries } from "../../api/past";
import type { Dynamic } from "../../api/query";
import { askStreams, type Loaded, useSeries, type Wait } from "../../api/series";
import { spaces } from "../../api/spaces";
import type { ChartDraft, Stream } from "../../api/types";
import type { QueryError } from "../../api/ui.gen";
import { distributionOf, kindOf, notCompared, summarizeOf, windowFor } from "../../chart/kind";
import { dynamicOf, filtersOf, groupsOf } from "../../lib/filters";
import type { TagSearch } from "../../lib/search";
import { useDebounced } from "../../lib/useDebounced";
import { useTime } from "../../time/TimeContext";

const wait = 250;
/** Who has not typed for as long has written what they wanted. */
export const rest = 1_000;

export type PreviewState = {
  /** What to draw: the last result without an error. */
  loaded: Loaded | undefined;
  /** The streams that it belongs to. */
  streams: Stream[];
  errors: Map<number, QueryError>;
  /** The errors that are worth saying: not while somebody is still typing. */
  said: Map<number, QueryError>;
  counts: Map<number, number>;
  series: Map<number, number>;
  failed: unknown;
  stale: boolean;
  dynamic: Dynamic[];
  /** What the page is compared with. */
  past: Earlier | undefined;
  retry: () => void;
  wait: Wait;
};

/** Only these make another question; names and colours do not. */
const asked = (streams: Stream[]) =>
  streams.map(({ metric, type, tags, composite, group_function, summary_function, hidden }) => ({
    metric,
    type,
    tags,
    composite,
    group_function,
    summary_function,
    hidden,
  }));

/** The data of a draft, asked for a moment after the last change. */
export function usePreview(draft: ChartDraft, space: number): PreviewState {
  const page = useTime();
  const kind = kindOf(draft);
  const time = useMemo(() => ({ ...page, window: windowFor(kind, page.window) }), [page, kind]);
  const search = useSearch({ strict: false }) as TagSearch & { group?: string };
  const { data: layout } = useQuery(spaces.layout(space));
  const dynamic = useMemo(
    () => dynamicOf(filtersOf(search, layout?.default_tags), groupsOf(search.group)),
    [search, layout?.default_tags],
  );
  const key = JSON.stringify(asked(draft.streams));
  const settled = useDebounced(key, wait);
  const rested = useDebounced(key, rest);
  const streams = useMemo(() => JSON.parse(settled) as Stream[], [settled]);
  const distribution = distributionOf(draft);
  const ask = useMemo(
    () => askStreams(streams, dynamic, distributionOf(draft), summarizeOf(draft)),
    [streams, dynamic, draft],
  );
  const question = ["draft", streams, dynamic, distribution, summarizeOf(draft)];
  const q = useSeries({
    key: question,
    ask,
    range: time.range,
    window: time.window,
    live: time.live,
    tick: time.now,
    enabled: streams.length > 0,
  });
  const compared = streams.length > 0 && !notCompared(kind);
  const past = usePastSeries(question, ask, time, compared);
  const good = useRef<{ loaded: Loaded; key: string }>(undefined);
  const results = q.isPlaceholderData ? [] : (q.data?.results ?? []);
  const errors = new Map(results.flatMap((r): [number, QueryError][] => (r.error ? [[Number(r.id), r.error]] : [])));
  if (q.data && !q.isPlaceholderData && errors.size === 0) good.current = { loaded: q.data, key: settled };
  return {
    loaded: draft.streams.length === 0 ? undefined : good.current?.loaded,
    streams,
    errors: key === settled ? errors : new Map(),
    said: key === rested && key === settled ? errors : new Map(),
    counts: new Map(results.map((r) => [Number(r.id), r.streams ?? r.series.length])),
    series: new Map(results.map((r) => [Number(r.id), r.series.length])),
    failed: q.error,
    stale: good.current?.key !== key,
    dynamic,
    past,
    retry: () => void q.refetch(),
    wait: q.wait,
  };
}
