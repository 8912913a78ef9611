import { useQuery } from "@tanstack/react-query";
import { tokens } from "../../api/tokens";
import type { TokenSummary } from "../../api/ui.gen";
import { useSession } from "../../shell/useSession";

/** The organization's tokens, to those who manage them. */
export function useKnownTokens(): TokenSummary[] {
  const { canManage } = useSession();
  const { data } = useQuery({ ...tokens.list, enabled: canManage });
  return data ?? [];
}
