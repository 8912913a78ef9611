import { ask } from "./client";
import { textOf, withTimes } from "./typedArrays";
import type { Stream } from "./types";
import type { ManyQueries, OneQuery, OneResult, OneSeries, QueryAnswer, SharedQueryBody } from "./ui.gen";

/** A line as charts read it: large answers are decoded into typed arrays. */
export type RawSeries = Omit<OneSeries, "times" | "values"> & { times: ArrayLike<number>; values: ArrayLike<number> };
/** Those that are made of others, in the browser, do not count streams. */
export type Result = Omit<OneResult, "series" | "streams"> & { series: RawSeries[]; streams?: number };
export type Answer = Omit<QueryAnswer, "results"> & { results: Result[] };
export type Dynamic = { name: string; values: string[]; grouped: boolean };

/** The size of 20,000 points with their times, at twenty digits a pair. */
const large = 400_000;

/** Large answers are read beside the page, which would stand still meanwhile. */
async function decode(res: Response): Promise<Answer> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  let beside: Promise<typeof import("./decodeInWorker")> | undefined;
  const reader = res.body?.getReader();
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    parts.push(part.value);
    size += part.value.byteLength;
    // The worker is there when the rest is.
    if (size > large) beside ??= startBeside();
  }
  if (beside) return (await beside).decode(parts);
  const answer = JSON.parse(textOf(parts)) as QueryAnswer;
  return { ...answer, results: withTimes(answer.results) };
}

async function startBeside() {
  const module = await import("./decodeInWorker");
  module.start();
  return module;
}

/** Many streams in one request; end is exclusive. */
export const query = (body: ManyQueries, signal?: AbortSignal): Promise<Answer> =>
  ask("POST /ui/api/query", { body, signal, decode }) as Promise<unknown> as Promise<Answer>;

export const sharedQuery = (key: string, body: SharedQueryBody, signal?: AbortSignal): Promise<Answer> =>
  ask("POST /ui/api/shared/{key}/query", { at: { key }, body, signal, decode }) as Promise<unknown> as Promise<Answer>;

/**
 * What to ask for the streams of a chart. The id of each is its index; events
 * and what is hidden are not asked for. With by, distributions are asked for:
 * of all together, or for each value of that tag.
 */
export function streamQueries(streams: Stream[], by?: string): OneQuery[] {
  return streams.flatMap((s, i): OneQuery[] => {
    const id = String(i);
    if (s.type === "annotation" || s.hidden) return [];
    const distribution = by !== undefined && { distribution: true };
    if (s.composite && !s.metric) return [{ id, composite: s.composite, ...distribution }];
    if (!s.metric) return [];
    const base: OneQuery = {
      id,
      metric: s.metric,
      ...(s.tags?.length && { tags: s.tags }),
      ...(s.summary_function && { summary_function: s.summary_function }),
    };
    if (distribution) return [{ ...base, ...distribution, ...(by && { group_by: [by] }) }];
    if (s.group_function === "breakout") return [base];
    return [
      {
        ...base,
        group_function: s.group_function || "mean",
        group_by: (s.tags ?? []).filter((t) => t.grouped).map((t) => t.name),
      },
    ];
  });
}
