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

export const signIn = (body: SignInBody) => ask("POST /ui/api/session", { body });
export const signOut = () => ask("DELETE /ui/api/session");
export const switchOrg = (id: number) => ask("PUT /ui/api/session", { body: { org_id: id } });

/** Members and Admins may change things; Viewers look. */
export const canEdit = (role: Role) => role !== "viewer";
/** Tokens, members and services' secrets are the Admins'. */
export const canManage = (role: Role) => role === "admin";
