import { queryOptions } from "@tanstack/react-query";
import { ApiError, call } from "./client";

/** A made-up shop in an organization of its own; "elsewhere" is one that belongs to somebody else. */
export type Demo = {
  state: "none" | "filling" | "ready" | "failed" | "elsewhere";
  org: { id: number; name: string } | null;
  /** How much of it is filled, from 0 to 1. */
  done: number;
  error: string;
};

export const demo = {
  state: queryOptions({
    queryKey: ["demo"],
    queryFn: async ({ signal }): Promise<Demo | null> => {
      try {
        return await call<Demo>("GET", "/ui/api/demo", undefined, signal);
      } catch (err) {
        if (err instanceof ApiError && err.status === 404) return null; // this server is a demo itself
        throw err;
      }
    },
    refetchInterval: (q) => (q.state.data?.state === "filling" ? 500 : false),
  }),
  start: () => call<Demo>("POST", "/ui/api/demo"),
  remove: () => call<void>("DELETE", "/ui/api/demo"),
};
