import type { ReactNode } from "react";
import classes from "./Notice.module.css";
import { Panel } from "./Panel";

type Props = {
  /** Amber is for a problem, teal for news. */
  tone?: "amber" | "teal";
  icon?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
};

/** Something the whole page should know: one at a time, the worst wins. */
export function Notice({ tone = "teal", icon, actions, children }: Props) {
  return (
    <Panel className={classes.notice ?? ""} data-tone={tone} role="status">
      {icon && <span className={classes.icon}>{icon}</span>}
      <p className={classes.text}>{children}</p>
      {actions && <span className={classes.actions}>{actions}</span>}
    </Panel>
  );
}
