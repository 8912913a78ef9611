import { useQuery, useQueryClient } from "@tanstack/react-query";
import { metrics } from "../../api/metrics";
import { charts } from "../../api/spaces";
import type { MetricSummary } from "../../api/ui.gen";
import { Button } from "../../components/Button";
import { EmptyState } from "../../components/EmptyState";
import { count, value } from "../../lib/format";
import { toast } from "../../toasts/toast";
import classes from "./Space.module.css";

type Props = { space: number; canEdit: boolean; onAdd: () => void; onImport: () => void };

/** Nothing here yet: a chart, a file, or one of the busiest metrics with one click. */
export default function EmptySpace({ space, canEdit, onAdd, onImport }: Props) {
  const client = useQueryClient();
  const { data } = useQuery({ ...metrics.search("", 0, 100, "streams"), enabled: canEdit });
  const busiest = [...(data?.metrics ?? [])].sort((a, b) => b.streams - a.streams).slice(0, 6);
  const add = async (m: MetricSummary) => {
    try {
      await charts.create(space, {
        name: m.display_name || m.name,
        type: "line",
        streams: [{ metric: m.name, gap_detection: true, ...(m.units && { units_short: m.units }) }],
      });
      await client.invalidateQueries({ queryKey: ["spaces", space] });
    } catch (err) {
      toast(err instanceof Error ? err.message : String(err), { tone: "error" });
    }
  };
  if (!canEdit) return <EmptyState title="An empty space.">Someone who may edit it can add charts.</EmptyState>;
  return (
    <>
      <EmptyState
        title="An empty space. Add a chart, or start from a metric."
        actions={
          <>
            <Button onClick={onAdd}>Add chart</Button>
            <Button variant="default" onClick={onImport}>
              Import JSON
            </Button>
          </>
        }
      />
      <div className={classes.suggestions}>
        {busiest.map((m) => (
          <button key={m.name} type="button" className={classes.suggestion} onClick={() => void add(m)}>
            <div className="mono cut">{m.name}</div>
            <div className="t3">{`${count(m.streams, "stream")}, now ${value(m.last_value, m.units)}`}</div>
          </button>
        ))}
      </div>
    </>
  );
}
