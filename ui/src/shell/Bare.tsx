import { Outlet } from "@tanstack/react-router";
import { Offline } from "./Offline";
import { useShell } from "./Shell";
import classes from "./Shell.module.css";

/** For editors and wall displays: a signed-in page without the sidebar. */
export function Bare() {
  const { layers } = useShell();
  return (
    <main id="main" className={classes.bare} tabIndex={-1}>
      <Offline />
      <Outlet />
      {layers}
    </main>
  );
}
