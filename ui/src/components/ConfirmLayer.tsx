import { lazy, Suspense } from "react";
import { useQuestion } from "./confirm";

const Dialog = lazy(() => import("./ConfirmDialog"));

/** Where questions appear; the dialog itself is loaded with the first of them. */
export function ConfirmLayer() {
  const asked = useQuestion();
  return <Suspense fallback={null}>{asked && <Dialog key={asked.id} question={asked.question} />}</Suspense>;
}
