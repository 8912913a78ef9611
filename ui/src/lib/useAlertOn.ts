import { useNavigate } from "@tanstack/react-router";
import type { QuerySearch } from "./explore";

const kept = /^(metric|group|summary|tag\..+)$/;

/** Opens a new alert on what a query asks for. */
export function useAlertOn(): (q: QuerySearch) => void {
  const navigate = useNavigate();
  return (q) =>
    void navigate({
      to: "/alerts/new",
      search: Object.fromEntries(Object.entries(q).filter(([k]) => kept.test(k))),
    } as never);
}
