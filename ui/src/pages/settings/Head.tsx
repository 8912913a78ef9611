import type { ReactNode } from "react";
import classes from "./Settings.module.css";

/** The top of a settings page: what it is, in a sentence, and its one action. */
export function Head({ title, lead, action }: { title: string; lead?: ReactNode; action?: ReactNode }) {
  return (
    <div className={classes.head}>
      <div>
        <h2>{title}</h2>
        {lead && <p className={classes.lead}>{lead}</p>}
      </div>
      {action}
    </div>
  );
}
