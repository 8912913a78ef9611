import { useSyncExternalStore } from "react";
import { clock } from "../lib/format";
import classes from "./Shell.module.css";

let since = Date.now() / 1000;

function subscribe(tell: () => void): () => void {
  const went = () => {
    since = Date.now() / 1000;
    tell();
  };
  window.addEventListener("online", tell);
  window.addEventListener("offline", went);
  return () => {
    window.removeEventListener("online", tell);
    window.removeEventListener("offline", went);
  };
}

/** One bar, and old data under it. */
export function Offline() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <div className={classes.offline} role="status">{`No connection. Showing what was loaded at ${clock(since)}.`}</div>
  );
}
