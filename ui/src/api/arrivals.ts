import { queryOptions } from "@tanstack/react-query";
import { call, listen } from "./client";

export type Arrival = { protocol: string; user_agent: string; measurements: number; last_at: number };
export type Refused = {
  at: number;
  status: number;
  reason: string;
  user_agent: string;
  /** The last four characters of a token that nobody has. */
  token_ends: string;
};
/** A request as watchers hear of it. */
export type Seen = Refused & { sender: string; method: string; path: string };
export type Arrived = { at: number; name: string };

export const arrivals = queryOptions({
  queryKey: ["arrivals"],
  queryFn: ({ signal }) => call<{ hour: Arrival[]; problems: Refused[] }>("GET", "/ui/api/arrivals", undefined, signal),
  refetchInterval: 10_000,
});

/** Tells of every request and measurement of the organization until stopped. */
export const watchArrivals = (on: { request: (r: Seen) => void; measurement: (m: Arrived) => void }) =>
  listen("/ui/api/arrivals/watch", on as Record<string, (data: never) => void>);
