import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { ask, call, listen } from "./client";
import type { Token } from "./types.gen";
import type { RequestActivity, TokenScope, TokenSummary, TokenUpdate } from "./ui.gen";

export type TokenRole = TokenSummary["role"];

const all = async (signal?: AbortSignal) => (await ask("GET /ui/api/tokens", { signal })).tokens;

export const tokens = {
  all,
  list: queryOptions({
    queryKey: ["tokens"],
    queryFn: ({ signal }) => all(signal),
    refetchInterval: 10_000,
  }),
  senders: (id: number) =>
    queryOptions({
      queryKey: ["tokens", id, "senders"],
      queryFn: ({ signal }) => ask("GET /ui/api/tokens/{id}/senders", { at: { id }, signal }),
      staleTime: 0,
      refetchInterval: 10_000,
    }),
  /** What a token would do to those who send now. */
  preview: (body: TokenUpdate) =>
    queryOptions({
      queryKey: ["tokens", "preview", body],
      queryFn: ({ signal }) => ask("POST /ui/api/tokens/preview", { body, signal }),
      placeholderData: keepPreviousData,
      retry: false,
    }),
  create: (draft: {
    name: string;
    role: TokenRole;
    expires_at?: number;
    idle_days?: number;
    import_token?: string;
    scope?: TokenScope;
    networks?: string[];
  }) => call<Token>("POST", "/v1/api_tokens", draft),
  update: ({
    id,
    ...patch
  }: {
    id: number;
    name?: string;
    role?: TokenRole;
    active?: boolean;
    idle_days?: number;
    scope?: TokenScope;
    networks?: string[];
  }) => call<unknown>("PUT", `/v1/api_tokens/${id}`, patch),
  rotate: ({ id, overlap }: { id: number; overlap: number }) =>
    call<Token>("POST", `/v1/api_tokens/${id}/rotate`, { overlap }),
  remove: (id: number) => call<void>("DELETE", `/v1/api_tokens/${id}`),
  watch: (id: number, request: (use: RequestActivity) => void) => listen("/ui/api/tokens/{id}/watch", { request }, id),
};
