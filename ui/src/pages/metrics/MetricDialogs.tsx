import type { Metric } from "../../api/types";
import HistoryDrawer from "../../history/HistoryDrawer";
import { DeleteMetric } from "./DeleteMetric";
import { EditMetric } from "./EditMetric";

export type DialogProps = {
  kind: string;
  metric: Metric;
  streams: number | undefined;
  close: () => void;
  onDeleted: () => void;
};

/** What opens over a metric. */
export default function MetricDialogs(props: DialogProps) {
  if (props.kind === "delete") return <DeleteMetric {...props} />;
  if (props.kind === "edit") return <EditMetric metric={props.metric} close={props.close} />;
  if (props.kind === "history")
    return (
      <HistoryDrawer thing={{ kind: "metric", id: props.metric.name }} name={props.metric.name} close={props.close} />
    );
  return null;
}
