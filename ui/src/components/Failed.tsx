import { Link } from "@tanstack/react-router";
import { usePageTitle } from "./Page";
import { ErrorCard } from "./parts";
import classes from "./parts.module.css";

/** A page that broke while loading. */
export function Failed({ error, reset }: { error: unknown; reset?: () => void }) {
  return (
    <div style={{ padding: 20, maxWidth: 720 }}>
      <ErrorCard error={error} retry={reset} />
    </div>
  );
}

/** An address that leads nowhere. */
export function Missing() {
  usePageTitle("Not found");
  return (
    <main className={classes.empty}>
      <h1 className={classes.emptyTitle}>There is no such page.</h1>
      <p className="t2">It may have been deleted, or the address is mistyped.</p>
      <div className={classes.emptyActions}>
        <Link to="/">Go to your spaces</Link>
      </div>
    </main>
  );
}
