import { ask } from "./client";
import { readResults } from "./results";
import type { Stream } from "./types";
import type { ManyQueries, OneQuery, OneResult, OneSeries, QueryAnswer, SharedQueryBody } from "./ui.gen";

/** A line as charts read it: large answers are decoded into typed arrays. */
export type RawSeries = Omit<OneSeries, "times" | "values"> & { times: ArrayLike<number>; values: ArrayLike<number> };
/** Those that are made of others, in the browser, do not count streams. */
/** Asked says what of a stream it answers, where that is known: the stream may be another one by now. */
export type Result = Omit<OneResult, "series" | "streams"> & { series: RawSeries[]; streams?: number; asked?: string };
export type Answer = Omit<QueryAnswer, "results"> & { results: Result[] };
/** What is asked of how values are distributed: for each value of a tag, or with "" of all together, and with which percentiles. */
export type Distribution = { by: string; percentiles: number[] };
export type Dynamic = { name: string; values: string[]; grouped: boolean };

/** Many streams in one request, each result handed on as it comes; end is exclusive. */
export const queryEach = (body: ManyQueries, each: (r: Result) => void, signal?: AbortSignal): Promise<unknown> =>
  ask("POST /ui/api/query", { body, signal, decode: (res) => readResults(res, each) });

/** The same, all at once. */
export const query = (body: ManyQueries, signal?: AbortSignal): Promise<Answer> =>
  gathered(body.resolution, (each) => queryEach(body, each, signal));

export const sharedQuery = (key: string, body: SharedQueryBody, signal?: AbortSignal): Promise<Answer> =>
  gathered(body.resolution, (each) =>
    ask("POST /ui/api/shared/{key}/query", { at: { key }, body, signal, decode: (res) => readResults(res, each) }),
  );

async function gathered(resolution: number, from: (each: (r: Result) => void) => Promise<unknown>): Promise<Answer> {
  const results: Result[] = [];
  await from((r) => results.push(r));
  return { resolution, results };
}

/**
 * What to ask for the streams of a chart. The id of each is its index; events
 * and what is hidden are not asked for. Distributions are asked for instead,
 * where they are wanted. More streams than summarize come as a band.
 */
export function streamQueries(streams: Stream[], wanted?: Distribution, summarize?: number): OneQuery[] {
  return streams.flatMap((s, i): OneQuery[] => {
    const id = String(i);
    if (s.type === "annotation" || s.hidden) return [];
    const few = summarize && { summarize };
    const distribution = wanted && { distribution: true, percentiles: wanted.percentiles };
    if (s.composite && !s.metric) return [{ id, composite: s.composite, ...distribution, ...few }];
    if (!s.metric) return [];
    const base: OneQuery = {
      id,
      metric: s.metric,
      ...(s.tags?.length && { tags: s.tags }),
      ...(s.summary_function && { summary_function: s.summary_function }),
    };
    if (distribution) return [{ ...base, ...distribution, ...(wanted.by && { group_by: [wanted.by] }) }];
    if (s.group_function === "breakout") return [{ ...base, ...few }];
    return [
      {
        ...base,
        group_function: s.group_function || "mean",
        group_by: (s.tags ?? []).filter((t) => t.grouped).map((t) => t.name),
      },
    ];
  });
}
