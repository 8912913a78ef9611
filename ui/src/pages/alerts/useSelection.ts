import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useShortcuts } from "../../shell/shortcuts";

/** Which of the shown alerts are selected, and how that changes. */
export type Selection = {
  has: (id: number) => boolean;
  size: number;
  /** With shift, everything from the one before to this one. */
  toggle: (id: number, shift?: boolean) => void;
  all: () => void;
  clear: () => void;
};

/** x selects the alert that has the focus, Escape ends it. What is no longer shown is not selected. */
export function useSelection(shown: number[], enabled: boolean): Selection {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const last = useRef<number>(undefined);
  const chosen = shown.filter((id) => ids.has(id));
  const toggle = (id: number, shift = false) => {
    const from = last.current === undefined ? -1 : shown.indexOf(last.current);
    const to = shown.indexOf(id);
    const range = shift && from >= 0 ? shown.slice(Math.min(from, to), Math.max(from, to) + 1) : [id];
    const on = !ids.has(id);
    const next = new Set(chosen);
    for (const one of range) on ? next.add(one) : next.delete(one);
    last.current = id;
    setIds(next);
  };
  const clear = () => setIds(new Set());
  useShortcuts([
    ...(enabled ? [{ keys: "x", label: "Select the alert", run: () => toggleFocused(toggle) }] : []),
    ...(chosen.length > 0 ? [{ keys: "Escape", label: "End the selection", run: clear }] : []),
  ]);
  return {
    has: (id) => ids.has(id),
    size: chosen.length,
    toggle,
    all: () => setIds(new Set(shown)),
    clear,
  };
}

/** The alert may become a row in this moment: the focus goes along. */
function toggleFocused(toggle: (id: number) => void): void {
  const id = document.activeElement?.closest<HTMLElement>("[data-alert]")?.dataset.alert;
  if (!id) return;
  flushSync(() => toggle(Number(id)));
  document.querySelector<HTMLElement>(`[data-alert="${id}"] [data-row]`)?.focus();
}
