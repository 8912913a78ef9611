import { useSyncExternalStore } from "react";
import { connection } from "../api/client";
import { clock } from "../lib/format";
import classes from "./Shell.module.css";

/**
 * One bar, and old data under it. What counts is whether the server answers:
 * a browser calls itself offline in networks where the server is near.
 */
export function Offline() {
  const since = useSyncExternalStore(connection.watch, connection.lostSince);
  if (!since) return null;
  return (
    <div className={classes.offline} role="status">{`No connection. Showing what was loaded at ${clock(since)}.`}</div>
  );
}
