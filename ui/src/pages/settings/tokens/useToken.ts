import { useQuery } from "@tanstack/react-query";
import { tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";

/** The token an address names, from the list behind the drawer; null if there is none such. */
export function useToken(id: string): TokenSummary | null | undefined {
  const { data } = useQuery(tokens.list);
  return data && (data.find((t) => t.id === Number(id)) ?? null);
}
