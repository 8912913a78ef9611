import type { AlertSummary } from "../../api/ui.gen";
import { useShortcuts } from "../../shell/shortcuts";
import { useQuickActions } from "./useQuickActions";

/** The keys of the alert that has the focus. */
export function AlertKeys({ alert }: { alert: AlertSummary }) {
  useShortcuts(useQuickActions(alert).map(({ key, label, run }) => ({ keys: key, label, run })));
  return null;
}
