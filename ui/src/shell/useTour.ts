import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let at: number | undefined;

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The step of the tour that is shown, if it is on. */
export const useTour = (): number | undefined => useSyncExternalStore(watch, () => at);

/** Shows a step of the tour, or ends it. */
export function showTour(step: number | undefined): void {
  at = step;
  for (const l of listeners) l();
}
