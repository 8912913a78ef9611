import { useSuspenseQuery } from "@tanstack/react-query";
import { canEdit, canManage, sessionQuery } from "../api/session";

/** Who is signed in, and what they may do. Pages inside the shell only. */
export function useSession() {
  const { data } = useSuspenseQuery(sessionQuery);
  return { ...data, canEdit: canEdit(data.role), canManage: canManage(data.role) };
}
