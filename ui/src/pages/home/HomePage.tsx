import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { spaces } from "../../api/spaces";
import { hasCrashed } from "../../lib/crashes";
import { useSession } from "../../shell/useSession";

/** The last space someone looked at, unless it crashed just now, or how to send data while there is none. */
export function HomePage() {
  const { has_data } = useSession();
  const { data } = useQuery(spaces.all);
  if (!has_data) return <Navigate to="/send" replace />;
  if (!data) return null;
  const last = data.spaces.reduce<(typeof data.spaces)[number] | undefined>(
    (a, b) => (!a || b.opened_at > a.opened_at ? b : a),
    undefined,
  );
  if (!last || hasCrashed(`/spaces/${last.id}`)) return <Navigate to="/spaces" replace />;
  return <Navigate to="/spaces/$id" params={{ id: String(last.id) }} replace />;
}
