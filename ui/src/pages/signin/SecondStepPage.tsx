import { useNavigate, useSearch } from "@tanstack/react-router";
import { ownPath } from "../../lib/link";
import { SecondStep } from "../../security/SecondStep";
import { Door } from "./Door";

/** Between the password, or the sign-in service, and the first page. */
export function SecondStepPage() {
  const { next } = useSearch({ from: "/signin/second" });
  const navigate = useNavigate();
  return (
    <Door title="One more step">
      <SecondStep
        // A fresh page, which nothing of before is left on.
        onDone={() => window.location.replace(ownPath(next))}
        onLost={() => navigate({ to: "/signin", search: next ? { next } : {} })}
      />
    </Door>
  );
}
