import { IconBellCheck, IconBellOff, IconBellRinging, IconBellZ, IconCheck, IconTool } from "@tabler/icons-react";
import type { AlertState } from "../api/types";

const looks = {
  ok: { icon: IconCheck, color: "var(--tm-grn)", word: "OK" },
  firing: { icon: IconBellRinging, color: "var(--tm-red)", word: "Firing" },
  snoozed: { icon: IconBellZ, color: "var(--tm-t2)", word: "Snoozed" },
  inactive: { icon: IconBellOff, color: "var(--tm-t3)", word: "Inactive" },
  taken: { icon: IconBellCheck, color: "var(--tm-red)", word: "Firing, acknowledged" },
  maintenance: { icon: IconTool, color: "var(--tm-t2)", word: "In maintenance" },
};

/** The state of an alert as lists show it: what nobody is notified of in maintenance says so while it is quiet. */
export function looksOf(a: { state: AlertState; acknowledged_at?: number; maintenance?: object }): keyof typeof looks {
  if (a.state === "firing") return a.acknowledged_at ? "taken" : "firing";
  return a.state === "ok" && a.maintenance ? "maintenance" : a.state;
}

/** State is never colour alone. */
export function StateIcon({ state, size = 17 }: { state: keyof typeof looks; size?: number }) {
  const { icon: Icon, color, word } = looks[state];
  return <Icon size={size} stroke={1.6} color={color} aria-label={word} role="img" style={{ display: "block" }} />;
}
