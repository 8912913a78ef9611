import { Navigate } from "@tanstack/react-router";
import { usePhone } from "../../shell/usePhone";
import { useSession } from "../../shell/useSession";

/** On a phone the list of places is a page of its own; elsewhere the first place opens. */
export function SettingsHome() {
  const { canManage } = useSession();
  const phone = usePhone();
  if (phone) return null;
  return <Navigate to={canManage ? "/settings/tokens" : "/settings/general"} replace />;
}
