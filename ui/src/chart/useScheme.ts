import { useSyncExternalStore } from "react";
import { scheme } from "../lib/scheme";
import type { Scheme } from "./palette";

/** The theme that charts are drawn in; a canvas cannot follow CSS. */
export const useScheme = (): Scheme => useSyncExternalStore(scheme.watch, scheme.current);
