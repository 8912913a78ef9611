import { IconBellCheck, IconBellOff, IconBellRinging, IconBellZ, IconCheck, IconTool } from "@tabler/icons-react";
import type { AlertState } from "../../api/types";
import { duration } from "../../lib/format";
import classes from "./parts.module.css";

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

type PillProps = {
  since: number;
  /** Somebody has acknowledged it. */
  taken?: boolean;
  className?: string | undefined;
};

/** "Firing for 24 min", with its bell; "Firing for 26 min, acknowledged". */
export function FiringPill({ since, taken = false, className = "" }: PillProps) {
  return (
    <span className={`${classes.pill} ${className}`}>
      <IconBellRinging size={14} stroke={1.6} aria-hidden />
      {`Firing for ${duration(Math.max(60, Date.now() / 1000 - since))}${taken ? ", acknowledged" : ""}`}
    </span>
  );
}

/** A state that asks for nothing: "Snoozed until 18:00", "Inactive". */
export const QuietPill = ({ children, className = "" }: { children: string; className?: string | undefined }) => (
  <span className={`${classes.pill} ${className}`} data-tone="quiet">
    {children}
  </span>
);
