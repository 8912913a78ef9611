import { Link } from "@tanstack/react-router";
import { EmptyState } from "./EmptyState";
import { usePageTitle } from "./Page";
import { ErrorCard } from "./problems";

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
    <EmptyState heading title="There is no such page." actions={<Link to="/">Go to your spaces</Link>}>
      It may have been deleted, or the address is mistyped.
    </EmptyState>
  );
}
