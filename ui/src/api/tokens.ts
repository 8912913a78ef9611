import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";

export type TokenRole = "admin" | "recorder" | "viewer";
export type Token = {
  id: number;
  name: string;
  role: TokenRole;
  active: boolean;
  last4: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
  old_until: number;
  agent: string;
  senders: number;
};
export type Sender = {
  user_agent: string;
  sender: string;
  requests: number;
  days: number[];
  last_at: number;
  sends: string[] | null;
};
export type Senders = { senders: Sender[]; old_value: { until: number; senders: number } | null };
/** What creating or rotating answers: the only place that has the secret. */
export type FreshToken = { id: number; name: string; role: TokenRole; token: string; expires_at: string | null };

export const tokens = {
  list: queryOptions({
    queryKey: ["tokens"],
    queryFn: async ({ signal }) => (await call<{ tokens: Token[] }>("GET", "/ui/api/tokens", undefined, signal)).tokens,
    refetchInterval: 10_000,
  }),
  senders: (id: number) =>
    queryOptions({
      queryKey: ["tokens", id, "senders"],
      queryFn: ({ signal }) => call<Senders>("GET", `/ui/api/tokens/${id}/senders`, undefined, signal),
    }),
  create: (draft: { name: string; role: TokenRole; expires_at?: number; import_token?: string }) =>
    call<FreshToken>("POST", "/v1/api_tokens", draft),
  update: ({ id, ...patch }: { id: number; name?: string; role?: TokenRole; active?: boolean }) =>
    call<unknown>("PUT", `/v1/api_tokens/${id}`, patch),
  rotate: ({ id, overlap }: { id: number; overlap: number }) =>
    call<FreshToken>("POST", `/v1/api_tokens/${id}/rotate`, { overlap }),
  remove: (id: number) => call<void>("DELETE", `/v1/api_tokens/${id}`),
};
