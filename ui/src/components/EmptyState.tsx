import type { ReactNode } from "react";
import classes from "./EmptyState.module.css";

type Props = {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** It is all there is on the page. */
  heading?: boolean;
};

/** Nothing here yet, and what to do about it. */
export function EmptyState({ title, children, actions, heading = false }: Props) {
  const Title = heading ? "h1" : "p";
  return (
    <div className={classes.empty}>
      <Title className={classes.title}>{title}</Title>
      {children && <div className="t2">{children}</div>}
      {actions && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
