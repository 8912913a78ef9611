import { useState } from "react";
import type { Thing } from "../../../api/history";
import type { Version } from "../../../api/ui.gen";
import { useRestore } from "../../../history/useRestore";
import { timeOf } from "./saves";

/** What can be done with a save that is looked at. */
export type SaveActions = { name: () => void; restore: () => void; busy: boolean; isLatest: boolean };

/** Naming a save, and restoring it: then the latest one is looked at, which that made. */
export function useSaveActions(thing: Thing, latest: number, toLatest: () => void) {
  const { restore, busy, error } = useRestore(thing);
  const [naming, setNaming] = useState<Version>();
  const bringBack = async (v: Version) => {
    if (await restore({ number: v.number, latest, said: `Restored to ${timeOf(v.at)}.` })) toLatest();
  };
  const of = (v: Version): SaveActions => ({
    name: () => setNaming(v),
    restore: () => void bringBack(v),
    busy,
    isLatest: v.number === latest,
  });
  return { of, error, naming, close: () => setNaming(undefined) };
}
