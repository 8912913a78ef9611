import type { ReactNode } from "react";
import classes from "./Panels.module.css";

/** Why there is nothing in a panel. */
export const EmptyPanel = ({ children }: { children: ReactNode }) => <div className={classes.empty}>{children}</div>;
