import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";
import type { Role, Session } from "./session";

export type SignInOptions = {
  needs_setup: boolean;
  oidc: { title: string } | null;
  passwords: boolean;
  mail_reset: boolean;
};

export type Invited = { org_name: string; email: string; role: Role; expires_at: number; signed_in: boolean };

/** What the pages need that people see before they are signed in. */
export const door = {
  options: queryOptions({
    queryKey: ["door"],
    queryFn: ({ signal }) => call<SignInOptions>("GET", "/ui/api/signin", undefined, signal),
  }),
  checkSetup: (key: string) =>
    queryOptions({
      queryKey: ["door", "setup", key],
      queryFn: ({ signal }) => call<unknown>("GET", `/ui/api/setup/${encodeURIComponent(key)}`, undefined, signal),
      retry: false,
    }),
  setUp: ({ key, ...body }: { key: string; org_name: string; email: string; password: string }) =>
    call<Session>("POST", `/ui/api/setup/${encodeURIComponent(key)}`, body),
  invited: (key: string) =>
    queryOptions({
      queryKey: ["door", "invite", key],
      queryFn: ({ signal }) => call<Invited>("GET", `/ui/api/invite/${encodeURIComponent(key)}`, undefined, signal),
      retry: false,
    }),
  join: ({ key, ...body }: { key: string; new?: boolean; name?: string; password?: string }) =>
    call<Session>("POST", `/ui/api/invite/${encodeURIComponent(key)}`, body),
  askReset: (email: string) => call<unknown>("POST", "/ui/api/reset", { email }),
  reset: ({ key, password }: { key: string; password: string }) =>
    call<void>("POST", `/ui/api/reset/${encodeURIComponent(key)}`, { password }),
};
