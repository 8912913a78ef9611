import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { chartAll, mostCharts } from "../../components/startSpace";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import classes from "./Metrics.module.css";

/** Makes a space with a chart for each metric that was found. */
export function ChartThem({ q, found }: { q: string; found: number }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { canEdit } = useSession();
  const make = useMutation({
    mutationFn: () => chartAll(client, q, q),
    onSuccess: async (id) => {
      await client.invalidateQueries({ queryKey: ["spaces"] });
      await navigate({ to: "/spaces/$id", params: { id: String(id) } });
    },
    onError: (err) => toast(err.message, { tone: "error" }),
  });
  if (!canEdit) return null;
  return (
    <button type="button" className={classes.link} disabled={make.isPending} onClick={() => make.mutate()}>
      {found > mostCharts ? `Chart the first ${mostCharts}` : "Chart them all"}
    </button>
  );
}
