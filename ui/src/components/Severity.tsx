import { IconAlertTriangle, IconFlame, IconInfoCircle } from "@tabler/icons-react";
import classes from "./Severity.module.css";

export type SeverityName = "critical" | "warning" | "info";

const looks = {
  critical: { icon: IconFlame, word: "Critical" },
  warning: { icon: IconAlertTriangle, word: "Warning" },
  info: { icon: IconInfoCircle, word: "Info" },
};

/** All there are, the worst first. */
export const severities = Object.entries(looks).map(([value, { word }]) => ({
  value: value as SeverityName,
  label: word,
}));

export const severityWord = (s: string): string => looks[s as SeverityName]?.word ?? "Not set";

type Props = {
  severity: string;
  /** It has its colour only while the alert fires. */
  firing: boolean;
  /** On a ground of its own, as beside a title. */
  pill?: boolean;
  className?: string | undefined;
};

/** The severity of an alert; nothing where it has none. */
export function Severity({ severity, firing, pill = false, className = "" }: Props) {
  const look = looks[severity as SeverityName];
  if (!look) return null;
  return (
    <span
      className={`${classes.severity} ${className}`}
      data-severity={severity}
      data-firing={firing || undefined}
      data-pill={pill || undefined}
    >
      <look.icon size={14} stroke={1.6} aria-hidden />
      {look.word}
    </span>
  );
}
