import { useEffect, useId, useSyncExternalStore } from "react";

/**
 * How far apart the points really are that the charts of the page show: the
 * picker's resolution is only what was asked for, and nobody measures more
 * often for having been asked.
 */
const known = new Map<string, number>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The finest that any chart shows, in seconds; 0 while that is not known. */
const finest = () => (known.size ? Math.min(...known.values()) : 0);

export const useFinest = (): number => useSyncExternalStore(subscribe, finest);

/** Says how far apart the points of one chart are, for as long as it is there. */
export function useSpacing(seconds: number | undefined): void {
  const id = useId();
  useEffect(() => {
    if (!seconds) return;
    known.set(id, seconds);
    for (const listener of listeners) listener();
    return () => {
      known.delete(id);
      for (const listener of listeners) listener();
    };
  }, [id, seconds]);
}
