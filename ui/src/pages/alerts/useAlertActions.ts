import { useNavigate } from "@tanstack/react-router";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertSummary } from "../../api/ui.gen";
import { useConfirm } from "../../components/confirm";
import type { MenuItem } from "../../components/Menu";
import { toast } from "../../toasts/toast";

const failed = (err: Error) => toast(err.message, { tone: "error" });

/** What the menus of an alert do, in the list and on its page. */
export function useAlertActions(a: AlertSummary): {
  toggle: MenuItem;
  duplicate: MenuItem;
  /** Only while somebody has it. */
  reopen: MenuItem[];
  remove: (then?: () => void) => Promise<void>;
} {
  const navigate = useNavigate();
  const copy = useChange(["alerts"], alerts.duplicate);
  const reopen = useChange(["alerts"], alerts.reopen);
  const active = useChange(["alerts"], alerts.setActive);
  const gone = useChange(["alerts"], alerts.remove);
  const confirm = useConfirm();
  const off = a.state === "inactive";
  return {
    toggle: {
      label: off ? "Set Active" : "Set Inactive",
      run: () => active.mutate({ id: a.id, active: off }, { onError: failed }),
    },
    duplicate: {
      label: "Duplicate",
      run: () =>
        void copy.mutateAsync(a.id).then((made) => {
          toast(`${made.name} is made. It is Inactive until you set it Active.`);
          void navigate({ to: "/alerts/$id/edit", params: { id: String(made.id) } });
        }, failed),
    },
    reopen: a.acknowledged_at
      ? [{ label: "Take back the acknowledgement", run: () => reopen.mutate(a.id, { onError: failed }) }]
      : [],
    remove: async (then) => {
      const yes = await confirm({
        title: `Delete ${a.name}?`,
        text: "Its incidents and deliveries go with it. This cannot be undone.",
        action: "Delete alert",
        danger: true,
      });
      if (!yes) return;
      // The row is gone by the time of the answer, and its mutation with it.
      await gone.mutateAsync(a.id).then(() => {
        toast(`${a.name} is deleted.`);
        then?.();
      }, failed);
    },
  };
}
