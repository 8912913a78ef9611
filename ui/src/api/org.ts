import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { inOrg } from "../lib/org";
import { withPrefix } from "../lib/prefix";
import { ask, withQuery } from "./client";
import type { Role } from "./session";
import type { InviteBody, LimitRequestBody, ProfileBody, TagDropBody } from "./ui.gen";

/** Which entries of the audit log: part of anything, who, actions such as alert.*, since when, after which entry. */
export type AuditFilter = {
  q?: string | undefined;
  actor?: string | undefined;
  from?: string | undefined;
  action?: string | undefined;
  since?: number | undefined;
  before?: string | undefined;
};

export const org = {
  one: queryOptions({ queryKey: ["org"], queryFn: ({ signal }) => ask("GET /ui/api/org", { signal }) }),
  rename: (name: string) => ask("PUT /ui/api/org", { body: { name } }),
  setShortName: (name: string) => ask("PUT /ui/api/org", { body: { short_name: name } }),
  allowEarlyAlerts: (on: boolean) => ask("PUT /ui/api/org", { body: { alerts_before_metrics: on } }),
  limitTokenAge: (days: number) => ask("PUT /ui/api/org", { body: { token_max_days: days } }),
  demandSecondFactor: (demanded: boolean) => ask("PUT /ui/api/org/second_factor", { body: { demanded } }),
  usage: queryOptions({
    queryKey: ["usage"],
    queryFn: ({ signal }) => ask("GET /ui/api/usage", { signal }),
  }),
  limits: queryOptions({
    queryKey: ["limits"],
    queryFn: ({ signal }) => ask("GET /ui/api/limits", { signal }),
  }),
  tagDrops: queryOptions({
    queryKey: ["tag_drops"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/tag_drops", { signal })).drops,
  }),
  dropTag: (body: TagDropBody) => ask("POST /ui/api/tag_drops", { body }),
  keepTag: (id: number) => ask("DELETE /ui/api/tag_drops/{id}", { at: { id } }),
  askForLimit: (body: LimitRequestBody) => ask("POST /ui/api/limits/requests", { body }),
  audit: (query: AuditFilter) =>
    queryOptions({
      queryKey: ["audit", query],
      queryFn: ({ signal }) => ask("GET /ui/api/audit", { query, signal }),
      placeholderData: keepPreviousData,
    }),
  /** Where all that a filter selects is downloaded from. */
  auditExport: ({ before: _, ...filter }: AuditFilter, format: "csv" | "jsonl"): string =>
    withPrefix(withQuery(inOrg("/ui/api/audit/export"), { ...filter, format })),
};

export const members = {
  list: queryOptions({
    queryKey: ["members"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/members", { signal })).members,
  }),
  setRole: ({ id, role }: { id: number; role: Role }) =>
    ask("PUT /ui/api/members/{user}", { at: { user: id }, body: { role } }),
  remove: (id: number) => ask("DELETE /ui/api/members/{user}", { at: { user: id } }),
  leave: () => ask("DELETE /ui/api/membership"),
  signOut: (id: number) => ask("DELETE /ui/api/members/{user}/sessions", { at: { user: id } }),
};

export const invitations = {
  list: queryOptions({
    queryKey: ["invitations"],
    queryFn: ({ signal }) => ask("GET /ui/api/invitations", { signal }),
  }),
  create: (body: InviteBody) => ask("POST /ui/api/invitations", { body }),
  renew: (id: number) => ask("POST /ui/api/invitations/{id}/link", { at: { id } }),
  remove: (id: number) => ask("DELETE /ui/api/invitations/{id}", { at: { id } }),
};

export const signedIn = {
  list: queryOptions({
    queryKey: ["sessions"],
    queryFn: async ({ signal }) => (await ask("GET /ui/api/sessions", { signal })).sessions,
  }),
  end: (id: number) => ask("DELETE /ui/api/sessions/{id}", { at: { id } }),
  endAll: () => ask("DELETE /ui/api/sessions"),
  profile: (body: ProfileBody) => ask("PUT /ui/api/profile", { body }),
};

/** The organization itself: its name and how long it keeps measurements. */
export const orgQuery = org.one;
