import { useState } from "react";
import { ApiError } from "../api/client";

/** Which version an editor began with, and whether it asks what to do about a later one. */
export type Concurrency = {
  version: number;
  asking: boolean;
  ask: () => void;
  close: () => void;
  /** Whether a save was refused because somebody else saved; then it asks. */
  refused: (err: unknown) => boolean;
};

export function useConcurrency(version: number): Concurrency {
  const [asking, setAsking] = useState(false);
  return {
    version,
    asking,
    ask: () => setAsking(true),
    close: () => setAsking(false),
    refused: (err) => {
      const stale = err instanceof ApiError && err.status === 412;
      if (stale) setAsking(true);
      return stale;
    },
  };
}
