import { queryOptions } from "@tanstack/react-query";
import { call } from "./client";

export type Role = "admin" | "member" | "viewer";
export type Session = {
  user: { id: number; email: string; name: string };
  /** With demo if it is the made-up one. */
  org: { id: number; name: string; demo?: true };
  role: Role;
  orgs: { id: number; name: string; role: Role }[];
  server: string;
  version: string;
  has_data: boolean;
};

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => call<Session>("GET", "/ui/api/session", undefined, signal),
  staleTime: 60_000,
  retry: false,
});

export const signIn = (who: { email: string; password: string }) => call<Session>("POST", "/ui/api/session", who);
export const signOut = () => call<void>("DELETE", "/ui/api/session");
export const switchOrg = (id: number) => call<Session>("PUT", "/ui/api/session", { org_id: id });

/** Members and Admins may change things; Viewers look. */
export const canEdit = (role: Role) => role !== "viewer";
/** Tokens, members and services' secrets are the Admins'. */
export const canManage = (role: Role) => role === "admin";
