import { useQuery } from "@tanstack/react-query";
import { members } from "../../../api/org";
import { EmptyState } from "../../../components/EmptyState";

/** Says who can do this. */
export function NotAdmin() {
  const { data } = useQuery(members.list);
  const admins = data?.filter((m) => m.role === "admin").map((m) => m.name || m.email);
  return (
    <EmptyState title="Only Admins manage tokens.">
      {admins &&
        `Ask ${admins.length > 4 ? `${admins.slice(0, 4).join(", ")} or another Admin` : admins.join(" or ")}.`}
    </EmptyState>
  );
}
