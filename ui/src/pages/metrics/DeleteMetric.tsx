import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { metrics } from "../../api/metrics";
import { ConfirmByTyping } from "../../components/ConfirmByTyping";
import { Modal } from "../../components/overlays";
import { count } from "../../lib/format";
import { toast } from "../../toasts/toast";
import type { DialogProps } from "./MetricDialogs";

/** Says what goes and who would miss it; the name has to be typed. */
export function DeleteMetric({ metric, streams, close, onDeleted }: DialogProps) {
  const client = useQueryClient();
  const { data: uses } = useQuery(metrics.uses(metric.name));
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  const used = [
    ...(uses?.spaces.length ? [count(uses.spaces.length, "space")] : []),
    ...(uses?.alerts.length ? [count(uses.alerts.length, "alert")] : []),
  ];
  const remove = async () => {
    setBusy(true);
    try {
      await metrics.remove(metric.name);
      await client.invalidateQueries({ queryKey: ["metrics"] });
      toast(`${metric.name} and its measurements are deleted.`);
      onDeleted();
    } catch (err) {
      setError(err);
      setBusy(false);
    }
  };
  return (
    <Modal opened onClose={close} title={`Delete “${metric.name}”?`}>
      <ConfirmByTyping
        name={metric.name}
        action="Delete metric"
        onConfirm={() => void remove()}
        onCancel={close}
        busy={busy}
        error={error}
      >
        {metric.type === "composite"
          ? "Deletes this composite. The metrics it is made of stay."
          : `Deletes ${streams === undefined ? "its streams" : count(streams, "stream")} and all their measurements at once. This cannot be undone.`}
        {used.length > 0 && ` ${used.join(" and ")} use it.`}
      </ConfirmByTyping>
    </Modal>
  );
}
