import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ApiError, onSessionLost } from "../api/client";

const Form = lazy(() => import("./SignInForm"));
type Waiting = { resolve: () => void; reject: (e: Error) => void };

/** When the session ends while a page is open: sign in over it, then go on where it stopped. */
export function SignInAgain() {
  const [open, setOpen] = useState(false);
  const waiting = useRef<Waiting[]>([]);
  useEffect(() => {
    onSessionLost(
      () =>
        new Promise((resolve, reject) => {
          waiting.current.push({ resolve, reject });
          setOpen(true);
        }),
    );
    return () => onSessionLost(undefined);
  }, []);
  const finish = (act: (w: Waiting) => void) => {
    for (const w of waiting.current.splice(0)) act(w);
    setOpen(false);
  };
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Form
        onDone={() => finish((w) => w.resolve())}
        onClose={() => finish((w) => w.reject(new ApiError(401, "You are signed out.")))}
      />
    </Suspense>
  );
}
