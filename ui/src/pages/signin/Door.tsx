import type { ReactNode } from "react";
import { Mark } from "../../components/Mark";
import { usePageTitle } from "../../components/Page";
import classes from "./Door.module.css";

/** One column, the mark, a title: how every page outside the shell looks. */
export function Door({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  return (
    <main className={classes.door}>
      <div className={classes.column}>
        <Mark size={40} />
        <div>
          <h1>{title}</h1>
          {lead && (
            <p className="t2" style={{ margin: "4px 0 0" }}>
              {lead}
            </p>
          )}
        </div>
        {children}
      </div>
    </main>
  );
}
