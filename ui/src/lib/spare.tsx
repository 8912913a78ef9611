import { type ComponentType, lazy } from "react";
import { quiet } from "./whenQuiet";

type Part<P> = { default: ComponentType<P> };

const nothing = () => null;

/** A part that a page can do without: where it cannot be loaded, the rest is there all the same. */
export const spare = <P>(load: () => Promise<Part<P>>) =>
  lazy(() => load().catch((): Part<P> => ({ default: nothing })));

/** One that is loaded once the page has what it shows. */
export const later = <P>(load: () => Promise<Part<P>>) => spare(() => quiet().then(load));
