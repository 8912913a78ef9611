import { lazy, Suspense } from "react";
import { ApiError, onProofNeeded } from "../api/client";
import { useWaiting } from "../shell/useWaiting";

const Dialog = lazy(() => import("./ProveDialog"));

/** Before something risky: prove once more who you are, then it goes on. */
export function ProveAgain() {
  const { open, done, refuse } = useWaiting(onProofNeeded);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Dialog
        onDone={done}
        onClose={() => refuse(new ApiError(403, "Nothing was changed: it was not proved that it is you."))}
      />
    </Suspense>
  );
}
