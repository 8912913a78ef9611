import { useEffect, useRef } from "react";

/** Esc takes something back while it is on, unless a layer is open that it closes first. */
export function useEscape(on: boolean, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!on) return;
    const press = (e: KeyboardEvent) => {
      if (e.key !== "Escape" || document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
      e.stopPropagation();
      latest.current();
    };
    document.addEventListener("keydown", press, true);
    return () => document.removeEventListener("keydown", press, true);
  }, [on]);
}
