import { type ComponentType, lazy, Suspense } from "react";
import { quiet } from "./whenQuiet";

type Part<P> = { default: ComponentType<P> };

const nothing = () => null;

/** A part that a page can do without: it keeps nothing else waiting, and where it cannot be loaded the rest is there all the same. */
export function spare<P extends object>(load: () => Promise<Part<P>>): ComponentType<P> {
  const Lazy: ComponentType<P> = lazy(() => load().catch((): Part<P> => ({ default: nothing })));
  return (props) => (
    <Suspense fallback={null}>
      <Lazy {...props} />
    </Suspense>
  );
}

/** One that is loaded once the page has what it shows. */
export const later = <P extends object>(load: () => Promise<Part<P>>) => spare(() => quiet().then(load));
