import { useQuery } from "@tanstack/react-query";
import { type Token, tokens } from "../../../api/tokens";

/** The token an address names, from the list behind the drawer; null if there is none such. */
export function useToken(id: string): Token | null | undefined {
  const { data } = useQuery(tokens.list);
  return data && (data.find((t) => t.id === Number(id)) ?? null);
}
