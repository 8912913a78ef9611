import { useEffect, useState } from "react";

/** A value that follows another once it has rested for a moment. */
export function useSettled<T>(v: T, ms: number): T {
  const [settled, setSettled] = useState(v);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(v), ms);
    return () => window.clearTimeout(timer);
  }, [v, ms]);
  return settled;
}
