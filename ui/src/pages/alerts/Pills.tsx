import { IconBellRinging } from "@tabler/icons-react";
import { duration } from "../../lib/format";
import classes from "./pillsAndLinks.module.css";

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
