import { useEffect, useState } from "react";

/** The time in seconds, every second while something is counted down; it stands still in a hidden tab. */
export function useNow(running = true): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    if (!running) return;
    const timer = window.setInterval(() => document.hidden || setNow(Date.now() / 1000), 1000);
    return () => window.clearInterval(timer);
  }, [running]);
  return now;
}
