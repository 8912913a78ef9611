import { IconCheck } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { alerts } from "../../api/alerts";
import { ApiError } from "../../api/client";
import { useChange } from "../../api/resource";
import { Button } from "../../components/Button";
import { person } from "../../lib/alertWords";
import { clock, duration } from "../../lib/format";
import { useSession } from "../../shell/useSession";
import { waiting } from "../../shell/waiting";
import { toast } from "../../toasts/toast";

type Alert = { id: number; name: string; steps: number; since: number };

/** Whether an acknowledgement of an alert waits for a connection; what is known of alerts is asked for again when it was sent. */
export function useWaiting(id: number): boolean {
  const client = useQueryClient();
  const waits = useSyncExternalStore(waiting.watch, () => waiting.has(id));
  const before = useRef(waits);
  useEffect(() => {
    if (before.current && !waits) void client.invalidateQueries({ queryKey: ["alerts"] });
    before.current = waits;
  }, [client, waits]);
  return waits;
}

/**
 * Takes an incident on, with a way back. Of two who do so at once the first counts, and the other is told. Without a
 * connection it is kept, and sent when there is one.
 */
export function useAcknowledge({ id, name, steps, since }: Alert) {
  const client = useQueryClient();
  const { user } = useSession();
  const acknowledge = useChange(["alerts"], alerts.acknowledge);
  const reopen = useChange(["alerts"], alerts.reopen);
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  const tell = async () => {
    const now = await client.fetchQuery({ ...alerts.detail(id), staleTime: 0 });
    const by = person(now.acknowledged_by ?? "");
    const taken = now.acknowledged_at ?? 0;
    if (!taken) return toast(`${name} does not fire any more.`);
    if (by !== user.email) return toast(`${by} was ${duration(Math.max(1, Date.now() / 1000 - taken))} faster.`);
    const stops = steps > 0 ? "Escalation stops, and nobody is reminded." : "Nobody is reminded of it.";
    toast(`Acknowledged by ${by}, ${clock(taken)}. ${stops}`, { undo: () => reopen.mutate(id, { onError: failed }) });
  };
  // The button may be gone by the time of the answer, and its mutation with it.
  const run = (text = "") =>
    void acknowledge
      .mutateAsync({ id, text })
      .then(tell, (err: Error) => {
        if (!(err instanceof ApiError) || err.status !== 0) throw err;
        waiting.add({ by: user.email, id, name, since, text });
      })
      .catch(failed);
  return { run, pending: acknowledge.isPending };
}

/** The one thing to do about an alert that fires. */
export function AcknowledgeButton({ alert, size = "sm" }: { alert: Alert; size?: "xs" | "sm" }) {
  const { run, pending } = useAcknowledge(alert);
  if (useWaiting(alert.id))
    return (
      <Button size={size} variant={size === "sm" ? "filled" : "default"} disabled>
        Waiting
      </Button>
    );
  return (
    <Button
      size={size}
      variant={size === "sm" ? "filled" : "default"}
      loading={pending}
      {...(size === "sm" && { leftSection: <IconCheck size={16} stroke={1.8} /> })}
      onClick={() => run()}
    >
      Acknowledge
    </Button>
  );
}
