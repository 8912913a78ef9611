import { Link, useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { ApiError } from "../api/client";
import { noteCrash } from "../lib/crashes";
import { Button } from "./Button";
import { EmptyState } from "./EmptyState";
import { usePageTitle } from "./Page";
import { ErrorCard } from "./problems";

const reload = () => window.location.reload();

/** A part of the interface that did not arrive, in the words of each browser. */
const missingPart = /import(ed|ing a) module|preload CSS/i;

/** A page that could not be loaded, or that crashed. What is around it stays. */
export function Failed({ error }: { error: unknown }) {
  if (error instanceof ApiError || missingPart.test(String(error)))
    return (
      <div style={{ padding: 20, maxWidth: 720 }}>
        <ErrorCard error={error} retry={reload} />
      </div>
    );
  return <Crashed error={error} away={<Link to="/spaces">Go to the list of spaces</Link>} />;
}

/** The same for who has come by a link and sees nothing else. */
export function FailedOutside({ error }: { error: unknown }) {
  return <Crashed error={error} />;
}

function Crashed({ error, away }: { error: unknown; away?: ReactNode }) {
  const { pathname } = useLocation();
  const [at] = useState(pathname); // it changes a moment before this goes
  useEffect(() => noteCrash(at), [at]);
  usePageTitle("This page stopped working");
  const reason = error instanceof Error ? error.message : String(error);
  return (
    <div role="alert">
      <EmptyState
        heading
        title="This page stopped working."
        actions={
          <>
            <Button onClick={reload}>Reload the page</Button>
            {away}
          </>
        }
      >
        <p>This is a fault of Tidemark. Nothing is lost, and the other pages still work.</p>
        <p className="t3">
          If it comes back, tell whoever looks after this server: <span className="mono">{reason}</span>
        </p>
      </EmptyState>
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
