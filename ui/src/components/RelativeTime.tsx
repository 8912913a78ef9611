import { useEffect, useState } from "react";
import { ago, exact } from "../lib/format";

/** "12 s ago", ticking; the exact time is its tooltip. */
export function RelativeTime({ at, never = "never" }: { at: number | null | undefined; never?: string }) {
  const [, tick] = useState(0);
  useEffect(() => {
    if (!at) return;
    const young = Date.now() / 1000 - at < 3600;
    const timer = window.setInterval(() => tick((n) => n + 1), young ? 1_000 : 60_000);
    return () => window.clearInterval(timer);
  }, [at]);
  if (!at) return <span>{never}</span>;
  return (
    <time dateTime={new Date(at * 1000).toISOString()} data-tip={exact(at)} className="num">
      {ago(at)}
    </time>
  );
}
