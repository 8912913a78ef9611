import { Navigate } from "@tanstack/react-router";
import { useSession } from "../../shell/useSession";

export function SettingsHome() {
  const { canManage } = useSession();
  return <Navigate to={canManage ? "/settings/tokens" : "/settings/general"} replace />;
}
