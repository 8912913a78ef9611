import { type KeyboardEvent, useState } from "react";

const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Which of the things that were found Enter takes: the first, or the one the
 * arrows went to. The focus stays in the field, so that one can go on typing.
 */
export function useChosen(found: number, take: (at: number) => void) {
  const [wanted, setWanted] = useState(0);
  const at = Math.min(wanted, Math.max(0, found - 1));
  const onKeyDown = (e: KeyboardEvent) => {
    const by = steps[e.key];
    if (by && found > 0) setWanted((at + by + found) % found);
    else if (e.key === "Enter") take(at);
    else return;
    e.preventDefault();
  };
  return { at, onKeyDown, first: () => setWanted(0) };
}
