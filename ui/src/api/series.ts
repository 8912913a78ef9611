import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { grouping, usualStep } from "../chart/data";
import { merge } from "../chart/merge";
import { useSlow } from "../lib/useSlow";
import type { Range, Window } from "../time/range";
import { useSpacing } from "../time/spacing";
import { batched } from "./batch";
import { type Answer, type Distribution, type Dynamic, type Result, sharedQuery, streamQueries } from "./query";
import type { Stream } from "./types";

/** Results with the window they fill; the server may have answered more coarsely than asked. */
export type Loaded = { window: Window; results: Result[]; took: number };
export type Ask = (w: Window, signal?: AbortSignal) => Promise<Answer>;

type Options = {
  /** What makes one chart's data different from another's. */
  key: unknown;
  ask: Ask;
  range: Range;
  window: Window;
  live: boolean;
  /** Changes with every tick of the clock, also when the window does not. */
  tick: number;
  enabled?: boolean;
};

/** What can be said and done while data is on its way, or was stopped. */
export type Wait = { slow: boolean; stopped: boolean; cancel: () => void; again: () => void };

/** Charts of a page share one request: it is stopped, and asked again, for all of them. */
function useWait(busy: boolean, lacking: boolean): Wait {
  const client = useQueryClient();
  const queryKey = ["series"];
  return {
    slow: useSlow(busy && lacking),
    stopped: !busy && lacking,
    cancel: () => void client.cancelQueries({ queryKey }),
    again: () => void client.refetchQueries({ queryKey, type: "active", predicate: (q) => q.state.data === undefined }),
  };
}

async function load(ask: Ask, w: Window, signal?: AbortSignal): Promise<Loaded> {
  const before = performance.now();
  const answer = await ask(w, signal);
  return { window: onGrid(w, answer.resolution), results: answer.results, took: performance.now() - before };
}

/** How far apart the points are that came: one line of each result tells, the fullest, as ranges of distributions have gaps. */
export function spacingOf({ results, window: w }: Pick<Loaded, "results" | "window">): number | undefined {
  const steps = results.flatMap(({ series, period }) => period ?? usualStep(fullest(series)) ?? []);
  return steps.length ? Math.max(w.step, Math.min(...steps)) : undefined;
}

const fullest = (series: Result["series"]): ArrayLike<number> =>
  series.reduce<ArrayLike<number>>((most, { times }) => (times.length > most.length ? times : most), []);

function onGrid(w: Window, step: number): Window {
  if (!step || step === w.step) return w;
  return { start: Math.floor(w.start / step) * step, end: Math.ceil(w.end / step) * step, step };
}

/** How often many streams are asked for while live, all of the time again: that is work for the server. */
const rare = 30_000;

const isSummed = (results: Result[]) => results.some((r) => r.series.some((s) => s.summary));

/**
 * The data of one chart. It is loaded once for a range; while live, only what
 * came since the last bucket is asked for and put at the end.
 */
export function useSeries({ key, ask, range, window: w, live, tick, enabled = true }: Options) {
  const client = useQueryClient();
  const queryKey = ["series", key, range.from, range.to, w.step];
  const latest = useRef({ ask, w });
  latest.current = { ask, w };
  const q = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(latest.current.ask, latest.current.w, signal),
    placeholderData: keepPreviousData,
    staleTime: live ? Number.POSITIVE_INFINITY : 60_000,
    gcTime: 60_000,
    // Every answer is another one: comparing a hundred thousand points with those before finds that out slowly.
    structuralSharing: false,
    enabled,
  });
  const { start, end } = w;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tick moves the window; the rest is read when it fires
  useEffect(() => {
    const old = client.getQueryData<Loaded>(queryKey);
    if (!live || !enabled || !old) return;
    const grid = onGrid(w, old.window.step);
    if (grid.end === old.window.end && Date.now() - (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) < 900) return;
    // What is apart from a band is so in all of its time: that is asked for again, and takes longer than a tick.
    const anew = () => client.refetchQueries({ queryKey, exact: true }, { cancelRefetch: false });
    if (isSummed(old.results)) {
      if (Date.now() - (client.getQueryState(queryKey)?.dataUpdatedAt ?? 0) >= rare) void anew();
      return;
    }
    // The last bucket was not full, and late data may have changed the one before.
    const since = Math.max(grid.start, Math.min(old.window.end, grid.end) - 2 * old.window.step);
    const stop = new AbortController();
    latest.current
      .ask({ start: since, end: grid.end, step: old.window.step }, stop.signal)
      .then((fresh) => {
        if (isSummed(fresh.results)) return anew(); // there are too many streams by now
        const now = client.getQueryData<Loaded>(queryKey) ?? old;
        client.setQueryData<Loaded>(queryKey, {
          ...now,
          window: grid,
          results: merge(now.results, fresh.results, grid, since),
        });
      })
      .catch(() => undefined); // the next tick tries again
    return () => stop.abort();
  }, [start, end, live, enabled, tick]);
  const { data, error, isError, isFetching, isPlaceholderData, refetch } = q;
  useSpacing(useMemo(() => data && spacingOf(data), [data]));
  // While live there is an answer, and what comes since is not waited for.
  const wait = useWait(isFetching, enabled && !isError && (data === undefined || isPlaceholderData));
  return { data, error, isError, isPlaceholderData, refetch, wait };
}

/** How the streams of a chart are asked for with a session, or their distributions; more than summarize come as a band. */
export const askStreams =
  (streams: Stream[], dynamic: Dynamic[], distribution?: Distribution, summarize?: number): Ask =>
  async (w, signal) => {
    const body = { start: w.start, end: w.end, resolution: w.step, dynamic };
    const answer = await batched(body, streamQueries(streams, distribution, summarize), signal);
    return { ...answer, results: answer.results.map((r) => asked(r, streams[Number(r.id)])) };
  };

/** An answer stays on the screen until the next one is there: it has to say what it answers. */
const asked = (r: Result, s: Stream | undefined): Result => (s ? { ...r, asked: grouping(s) } : r);

/** The same through a share link. */
export const askShared =
  (link: string, chart: number, dynamic: Dynamic[], space = 0): Ask =>
  (w, signal) =>
    sharedQuery(link, { start: w.start, end: w.end, resolution: w.step, space, chart, dynamic }, signal);
