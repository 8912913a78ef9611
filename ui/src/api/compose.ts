import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";
import type { ComposeError } from "./types";

export type ComposeFunction = { name: string; signature: string; help: string };
export type Check = { ok: true; formatted: string } | { ok: false; error: ComposeError };

export const functions = queryOptions({
  queryKey: ["compose", "functions"],
  queryFn: ({ signal }) =>
    call<{ functions: ComposeFunction[] }>("GET", "/ui/api/compose/functions", undefined, signal),
  staleTime: Number.POSITIVE_INFINITY,
});
export const check = (composite: string, signal?: AbortSignal) =>
  call<Check>("POST", "/ui/api/compose/check", { composite }, signal);
