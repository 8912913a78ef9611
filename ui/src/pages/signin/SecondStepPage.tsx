import { useNavigate, useSearch } from "@tanstack/react-router";
import { ownPath } from "../../lib/link";
import { replaceWith } from "../../lib/prefix";
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
        onDone={() => replaceWith(ownPath(next))}
        onLost={() => navigate({ to: "/signin", search: next ? { next } : {} })}
      />
    </Door>
  );
}
