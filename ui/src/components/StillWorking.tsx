import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { patience } from "../lib/useSlow";
import classes from "./StillWorking.module.css";

/** A page waits for it. Charts say so in their own frames. */
const awaited = (q: Query) => q.state.status === "pending" && q.getObserversCount() > 0 && q.queryKey[0] !== "series";

type Seen = "nothing" | "slow" | "stopped";

/** Looks at what is under way: is a page kept waiting, or was it stopped? */
function watch(client: QueryClient, stopped: Set<string>, report: (seen: Seen) => void): () => void {
  const cache = client.getQueryCache();
  const since = new Map<string, number>();
  let timer = 0;
  const look = () => {
    window.clearTimeout(timer);
    const now = Date.now();
    const waiting = cache.getAll().filter(awaited);
    const coming = waiting.filter((q) => q.state.fetchStatus === "fetching");
    for (const key of since.keys()) if (!coming.some((q) => q.queryHash === key)) since.delete(key);
    for (const q of coming) if (!since.has(q.queryHash)) since.set(q.queryHash, now);
    const first = Math.min(...since.values());
    const left = first + patience - now;
    // What was not asked for yet is idle as well, but was not stopped.
    const idle = waiting.some((q) => q.state.fetchStatus === "idle" && stopped.has(q.queryHash));
    report(left <= 0 ? "slow" : idle ? "stopped" : "nothing");
    if (coming.length > 0 && left > 0) timer = window.setTimeout(look, left + 20);
  };
  // Not at once: the cache reports while something else is being rendered.
  const stop = cache.subscribe(() => {
    window.clearTimeout(timer);
    timer = window.setTimeout(look, 50);
  });
  look();
  return () => {
    window.clearTimeout(timer);
    stop();
  };
}

/** After eight seconds a page says that it is still coming, and can be stopped. */
export function StillWorking() {
  const client = useQueryClient();
  const [seen, setSeen] = useState<Seen>("nothing");
  const stopped = useRef(new Set<string>());
  useEffect(() => watch(client, stopped.current, setSeen), [client]);
  if (seen === "nothing") return null;
  const cancel = () => {
    stopped.current.clear();
    const coming = client.getQueryCache().findAll({ predicate: awaited, fetchStatus: "fetching" });
    for (const q of coming) stopped.current.add(q.queryHash);
    void client.cancelQueries({ predicate: awaited });
  };
  const again = () => void client.refetchQueries({ predicate: awaited });
  return (
    <div className={classes.bar} role="status">
      {seen === "slow" ? "Still working…" : "Stopped before everything was there."}
      <button type="button" onClick={seen === "slow" ? cancel : again}>
        {seen === "slow" ? "Cancel" : "Try again"}
      </button>
    </div>
  );
}
