import { queryOptions } from "@tanstack/react-query";
import { call, listen } from "./client";

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
  /** As the audit log names people: user:ann@example.org; empty where it is not known. */
  created_by: string;
  agent: string;
  agents: string[];
  /** How many senders have the latest agent. */
  hosts: number;
  senders: number;
};
export type Sender = {
  user_agent: string;
  sender: string;
  requests: number;
  days: number[];
  last_at: number;
  /** It still uses a value that was rotated out. */
  old: boolean;
  sends: string[] | null;
};
/** One thing a token was used for, and which roles would refuse it. */
export type Use = { verb: string; noun: string; requests: number; refused_by: TokenRole[] };
export type Senders = { senders: Sender[]; uses: Use[]; old_value: { until: number; senders: number } | null };
/** A request with a token, as it happens. */
export type FirstUse = {
  at: number;
  user_agent: string;
  sender: string;
  status: number;
  method: string;
  path: string;
  reason: string;
  /** The least role that would do, where this one does not. */
  needs: string;
};
/** What creating or rotating answers: the only place that has the secret. */
export type FreshToken = { id: number; name: string; role: TokenRole; token: string; expires_at: string | null };

const all = async (signal?: AbortSignal) =>
  (await call<{ tokens: Token[] }>("GET", "/ui/api/tokens", undefined, signal)).tokens;

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
      queryFn: ({ signal }) => call<Senders>("GET", `/ui/api/tokens/${id}/senders`, undefined, signal),
      staleTime: 0,
      refetchInterval: 10_000,
    }),
  create: (draft: { name: string; role: TokenRole; expires_at?: number; import_token?: string }) =>
    call<FreshToken>("POST", "/v1/api_tokens", draft),
  update: ({ id, ...patch }: { id: number; name?: string; role?: TokenRole; active?: boolean }) =>
    call<unknown>("PUT", `/v1/api_tokens/${id}`, patch),
  rotate: ({ id, overlap }: { id: number; overlap: number }) =>
    call<FreshToken>("POST", `/v1/api_tokens/${id}/rotate`, { overlap }),
  remove: (id: number) => call<void>("DELETE", `/v1/api_tokens/${id}`),
  watch: (id: number, on: (use: FirstUse) => void) => listen(`/ui/api/tokens/${id}/watch`, { request: on as never }),
};
