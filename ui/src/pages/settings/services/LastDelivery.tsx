import { useQuery } from "@tanstack/react-query";
import { services } from "../../../api/services";
import { RelativeTime } from "../../../components/RelativeTime";
import { deliveryState } from "../../../lib/alertWords";
import own from "../../../services/Services.module.css";

/** When a service was last notified, and whether that failed. */
export function LastDelivery({ id }: { id: number }) {
  const { data } = useQuery(services.deliveries(id));
  const last = data?.[0];
  if (!data) return null;
  if (!last) return <span className="t3">nothing sent yet</span>;
  const state = deliveryState(last);
  return (
    <>
      <RelativeTime at={last.created_at} />
      {state.tone !== "grn" && <span className={own[state.tone]}> · {state.word}</span>}
    </>
  );
}
