import { useEffect, useState } from "react";

/** How long something may take before one says that it is still coming. */
export const patience = 8_000;

/** Whether something has been under way for so long that people wonder. */
export function useSlow(busy: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!busy) return;
    const timer = window.setTimeout(() => setSlow(true), patience);
    return () => {
      window.clearTimeout(timer);
      setSlow(false);
    };
  }, [busy]);
  return busy && slow;
}
