import type { ReactNode } from "react";
import classes from "../../components/settingsPages.module.css";

type Props = {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  /** Said once, here; what a role can never do is absent. */
  viewOnly?: boolean;
};

/** The top of a settings page: what it is, in a sentence, and its one action. */
export function SettingsHead({ title, lead, action, viewOnly = false }: Props) {
  return (
    <div className={classes.head}>
      <div>
        <h2>{title}</h2>
        {lead && <p className={classes.lead}>{lead}</p>}
        {viewOnly && <p className={classes.lead}>You can look, not change.</p>}
      </div>
      {action}
    </div>
  );
}
