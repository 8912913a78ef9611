import { useQuery } from "@tanstack/react-query";
import { type Token, tokens } from "../../api/tokens";
import { useSession } from "../../shell/useSession";

/** The organization's tokens, to those who manage them. */
export function useKnownTokens(): Token[] {
  const { canManage } = useSession();
  const { data } = useQuery({ ...tokens.list, enabled: canManage });
  return data ?? [];
}
