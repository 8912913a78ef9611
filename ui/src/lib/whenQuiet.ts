import { pending } from "../api/client";

const soon = 500;

/** Runs what can wait once the page has what it shows: nothing is being asked for, and nothing drawn. */
export function whenQuiet(run: () => void): void {
  const idle = window.requestIdleCallback ?? ((f: () => void) => window.setTimeout(f, soon));
  const look = () => idle(() => (pending() === 0 ? run() : window.setTimeout(look, soon)));
  window.setTimeout(look, soon);
}

/** The same, for what is loaded then. */
export const quiet = () => new Promise<void>(whenQuiet);
