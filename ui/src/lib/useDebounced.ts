import { useEffect, useState } from "react";

/** A value that follows another one when that has rested for so many milliseconds. */
export function useDebounced<T>(value: T, rest: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), rest);
    return () => window.clearTimeout(timer);
  }, [value, rest]);
  return settled;
}
