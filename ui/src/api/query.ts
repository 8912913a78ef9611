import { call } from "./client";
import type { ComposeError, Stream, TagFilter } from "./types";

export type StreamQuery = {
  id: string;
  metric?: string;
  tags?: TagFilter[];
  composite?: string;
  group_function?: string;
  group_by?: string[];
  summary_function?: string;
};
export type RawSeries = {
  metric?: string;
  tags: Record<string, string>;
  times: ArrayLike<number>;
  values: ArrayLike<number>;
};
export type Result = { id: string; series: RawSeries[]; streams?: number; period?: number; error?: ComposeError };
export type Answer = { resolution: number; results: Result[] };
export type Dynamic = { name: string; values: string[]; grouped: boolean };
export type QueryBody = { start: number; end: number; resolution: number; queries: StreamQuery[]; dynamic: Dynamic[] };

/** The size of 20,000 points with their times, at twenty digits a pair. */
const large = 400_000;

/** Large answers are read beside the page, which would stand still meanwhile. */
async function decode(res: Response): Promise<Answer> {
  const bytes = await res.arrayBuffer();
  if (bytes.byteLength > large) return (await import("./decode")).decode(bytes);
  return JSON.parse(new TextDecoder().decode(bytes)) as Answer;
}

/** Many streams in one request; end is exclusive. */
export const query = (body: QueryBody, signal?: AbortSignal) =>
  call<Answer>("POST", "/ui/api/query", body, signal, decode);

export type SharedQuery = { start: number; end: number; resolution: number; chart: number; dynamic: Dynamic[] };
export const sharedQuery = (key: string, body: SharedQuery, signal?: AbortSignal) =>
  call<Answer>("POST", `/ui/api/shared/${encodeURIComponent(key)}/query`, body, signal, decode);

/** What to ask for the streams of a chart. The id of each is its index; events and what is hidden are not asked for. */
export function streamQueries(streams: Stream[]): StreamQuery[] {
  return streams.flatMap((s, i): StreamQuery[] => {
    const id = String(i);
    if (s.type === "annotation" || s.hidden) return [];
    if (s.composite && !s.metric) return [{ id, composite: s.composite }];
    if (!s.metric) return [];
    const base: StreamQuery = {
      id,
      metric: s.metric,
      ...(s.tags?.length && { tags: s.tags }),
      ...(s.summary_function && { summary_function: s.summary_function }),
    };
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
