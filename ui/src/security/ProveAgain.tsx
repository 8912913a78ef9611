import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ApiError, onProofNeeded } from "../api/client";

const Dialog = lazy(() => import("./ProveDialog"));
type Waiting = { resolve: () => void; reject: (e: Error) => void };

/** Before something risky: prove once more who you are, then it goes on. */
export function ProveAgain() {
  const [open, setOpen] = useState(false);
  const waiting = useRef<Waiting[]>([]);
  useEffect(() => {
    onProofNeeded(
      () =>
        new Promise((resolve, reject) => {
          waiting.current.push({ resolve, reject });
          setOpen(true);
        }),
    );
    return () => onProofNeeded(undefined);
  }, []);
  const finish = (act: (w: Waiting) => void) => {
    for (const w of waiting.current.splice(0)) act(w);
    setOpen(false);
  };
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Dialog
        onDone={() => finish((w) => w.resolve())}
        onClose={() =>
          finish((w) => w.reject(new ApiError(403, "Nothing was changed: it was not proved that it is you.")))
        }
      />
    </Suspense>
  );
}
