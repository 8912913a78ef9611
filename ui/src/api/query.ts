import { call } from "./client";
import type { ComposeError, TagFilter } from "./types";

export type StreamQuery = {
  id: string;
  metric?: string;
  tags?: TagFilter[];
  composite?: string;
  group_function?: string;
  group_by?: string[];
  summary_function?: string;
};
export type RawSeries = { metric?: string; tags: Record<string, string>; times: number[]; values: number[] };
export type Result = { id: string; series: RawSeries[]; streams?: number; period?: number; error?: ComposeError };
export type Answer = { resolution: number; results: Result[] };
export type Dynamic = { name: string; values: string[]; grouped: boolean };
export type QueryBody = { start: number; end: number; resolution: number; queries: StreamQuery[]; dynamic: Dynamic[] };

/** Many streams in one request; end is exclusive. */
export const query = (body: QueryBody, signal?: AbortSignal) => call<Answer>("POST", "/ui/api/query", body, signal);

export type SharedQuery = { start: number; end: number; resolution: number; chart: number; dynamic: Dynamic[] };
export const sharedQuery = (key: string, body: SharedQuery, signal?: AbortSignal) =>
  call<Answer>("POST", `/ui/api/shared/${encodeURIComponent(key)}/query`, body, signal);
