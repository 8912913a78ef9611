import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";
import type { Role } from "./session";

export type Org = {
  id: number;
  name: string;
  created_at: number;
  alerts_before_metrics: boolean;
  retention: { window: number; retention: number }[];
};
export type Member = { user_id: number; email: string; name: string; role: Role; created_at: number };
export type SignedIn = {
  id: number;
  current: boolean;
  created_at: number;
  last_seen_at: number;
  user_agent: string;
  address: string;
};
export type AuditEntry = {
  id: number;
  at: number;
  actor: string;
  action: string;
  object: string;
  detail: Record<string, unknown> | null;
};
export type Usage = {
  streams: number;
  samples: number;
  bytes: number;
  metrics: number;
  days: { day: number; samples: number }[];
  top: { name: string; streams: number }[];
};

export const org = {
  one: queryOptions({ queryKey: ["org"], queryFn: ({ signal }) => call<Org>("GET", "/ui/api/org", undefined, signal) }),
  rename: (name: string) => call<void>("PUT", "/ui/api/org", { name }),
  allowEarlyAlerts: (on: boolean) => call<void>("PUT", "/ui/api/org", { alerts_before_metrics: on }),
  usage: queryOptions({
    queryKey: ["usage"],
    queryFn: ({ signal }) => call<Usage>("GET", "/ui/api/usage", undefined, signal),
  }),
  audit: (offset: number) =>
    queryOptions({
      queryKey: ["audit", offset],
      queryFn: ({ signal }) =>
        call<{ query: { found: number; length: number }; audit: AuditEntry[] }>(
          "GET",
          `/ui/api/audit?offset=${offset}&length=50`,
          undefined,
          signal,
        ),
    }),
};

export const members = {
  list: queryOptions({
    queryKey: ["members"],
    queryFn: async ({ signal }) =>
      (await call<{ members: Member[] }>("GET", "/ui/api/members", undefined, signal)).members,
  }),
  setRole: ({ id, role }: { id: number; role: Role }) => call<void>("PUT", `/ui/api/members/${id}`, { role }),
  remove: (id: number) => call<void>("DELETE", `/ui/api/members/${id}`),
};

/** Somebody who was asked to join. The link is there right after it was made, and only where the server has no mail. */
export type Invitation = {
  id: number;
  email: string;
  role: Role;
  created_at: number;
  created_by: string;
  expires_at: number;
  mailed: boolean;
  url?: string;
};

export const invitations = {
  list: queryOptions({
    queryKey: ["invitations"],
    queryFn: ({ signal }) =>
      call<{ invitations: Invitation[]; mail: boolean }>("GET", "/ui/api/invitations", undefined, signal),
  }),
  create: (m: { email: string; role: Role }) => call<Invitation>("POST", "/ui/api/invitations", m),
  renew: (id: number) => call<Invitation>("POST", `/ui/api/invitations/${id}/link`),
  remove: (id: number) => call<void>("DELETE", `/ui/api/invitations/${id}`),
};

export const signedIn = {
  list: queryOptions({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) =>
      (await call<{ sessions: SignedIn[] }>("GET", "/ui/api/sessions", undefined, signal)).sessions,
  }),
  end: (id: number) => call<void>("DELETE", `/ui/api/sessions/${id}`),
  profile: (p: { name?: string; password?: string; current_password?: string }) =>
    call<void>("PUT", "/ui/api/profile", p),
};

/** The organization itself: its name and how long it keeps measurements. */
export const orgQuery = org.one;
