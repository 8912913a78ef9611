import { queryOptions } from "@tanstack/react-query";
import { ask } from "./client";
import type { Session, SignInBody } from "./ui.gen";

export type Role = Session["role"];

export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: ({ signal }) => ask("GET /ui/api/session", { signal }),
  staleTime: 60_000,
  retry: false,
});

/** Who is signed in, whatever organization the address names. */
export const ownSession = queryOptions({
  queryKey: ["session", "own"],
  queryFn: ({ signal }) => ask("GET /ui/api/session", { signal, org: "" }),
  retry: false,
});

export const signIn = (body: SignInBody) => ask("POST /ui/api/session", { body });
export const signOut = () => ask("DELETE /ui/api/session");
/** Where addresses that name no organization lead from now on. */
export const switchOrg = (id: number) => ask("PUT /ui/api/session", { body: { org_id: id } });

/** Members and Admins may change things; Viewers look. */
export const canEdit = (role: Role) => role !== "viewer";
/** Tokens, members and services' secrets are the Admins'. */
export const canManage = (role: Role) => role === "admin";
