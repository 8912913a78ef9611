import { lazy, Suspense } from "react";
import { ApiError, onSessionLost } from "../api/client";
import { useWaiting } from "./useWaiting";

const Form = lazy(() => import("./SignInForm"));

/** When the session ends while a page is open: sign in over it, then go on where it stopped. */
export function SignInAgain() {
  const { open, done, refuse } = useWaiting(onSessionLost);
  if (!open) return null;
  return (
    <Suspense fallback={null}>
      <Form onDone={done} onClose={() => refuse(new ApiError(401, "You are signed out."))} />
    </Suspense>
  );
}
