import { pending } from "../api/client";

const soon = 500;
/** An answer may take long, and what waits for it is wanted all the same. */
const longest = 10_000;

/** Runs what can wait once the page has what it shows: nothing is being asked for, and nothing drawn. */
export function whenQuiet(run: () => void): void {
  const idle = window.requestIdleCallback ?? ((f: () => void) => window.setTimeout(f, soon));
  const end = performance.now() + longest;
  const isOver = () => pending() === 0 || performance.now() > end;
  const look = () => idle(() => (isOver() ? run() : window.setTimeout(look, soon)));
  window.setTimeout(look, soon);
}

/** The same, for what is loaded then. */
export const quiet = () => new Promise<void>(whenQuiet);
