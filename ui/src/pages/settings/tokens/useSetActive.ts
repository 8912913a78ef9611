import { useQueryClient } from "@tanstack/react-query";
import { useChange } from "../../../api/resource";
import { tokens } from "../../../api/tokens";
import type { TokenSummary } from "../../../api/ui.gen";
import { count } from "../../../lib/format";
import { toast } from "../../../toasts/toast";

const consequence = (t: TokenSummary, active: boolean) => {
  if (active) return `${t.name} is Active again.`;
  const refused = t.senders > 0 ? ` ${count(t.senders, "sender is", "senders are")} refused from now on.` : "";
  return `${t.name} is Inactive.${refused}`;
};

/** Sets a token Inactive or active at once, and says what that means. */
export function useSetActive() {
  const client = useQueryClient();
  const change = useChange(["tokens"], tokens.update);
  const set = (t: TokenSummary, active: boolean, quiet = false) => {
    // The switch shows what was meant at once; what the server says follows.
    client.setQueryData(tokens.list.queryKey, (old) => old?.map((o) => (o.id === t.id ? { ...o, active } : o)));
    change.mutate(
      { id: t.id, active },
      {
        onSuccess: () => {
          if (!quiet) toast(consequence(t, active), { undo: () => set(t, !active, true) });
        },
        onError: (err) => {
          toast(err.message, { tone: "error" });
          void client.invalidateQueries({ queryKey: ["tokens"] });
        },
      },
    );
  };
  return set;
}
