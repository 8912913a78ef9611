import { IconBell, IconCheck, IconClock } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { alerts } from "../../api/alerts";
import { useChange } from "../../api/resource";
import type { AlertSummary } from "../../api/ui.gen";
import { toast } from "../../toasts/toast";
import { useAcknowledge } from "./Acknowledge";
import { useSnooze } from "./Snooze";

export type QuickAction = { key: string; label: string; short: string; icon: ReactNode; run: () => void };

/** What can be done to an alert at once, with a way back: from its menu, by a key, or by a swipe on a phone. */
export function useQuickActions(a: AlertSummary): QuickAction[] {
  const acknowledge = useAcknowledge(a);
  const snooze = useSnooze(a);
  const resume = useChange(["alerts"], alerts.resume);
  const failed = (err: Error) => toast(err.message, { tone: "error" });
  const take = {
    key: "a",
    label: "Acknowledge",
    short: "Acknowledge",
    icon: <IconCheck size={18} stroke={1.8} aria-hidden />,
    run: () => acknowledge.run(),
  };
  const rest = {
    key: "s",
    label: "Snooze 1 hour",
    short: "Snooze 1 h",
    icon: <IconClock size={18} stroke={1.6} aria-hidden />,
    run: () => snooze.hours(1),
  };
  const wake = {
    key: "s",
    label: "Resume",
    short: "Resume",
    icon: <IconBell size={18} stroke={1.6} aria-hidden />,
    run: () => resume.mutate(a.id, { onError: failed }),
  };
  if (a.state === "inactive") return [];
  if (a.state === "snoozed") return [wake];
  return a.state === "firing" && !a.acknowledged_at ? [take, rest] : [rest];
}
