import { useQueries } from "@tanstack/react-query";
import { annotations } from "../api/annotations";
import type { Window } from "../time/range";
import type { Mark } from "./Marks";

/** Events move with the window in steps, so that a tick does not ask for all of them again. */
const grain = 300;

/** The events of some annotation streams in a window. */
export function useEvents(sources: string[], w: Window, enabled = true): Mark[] {
  const start = Math.floor(w.start / grain) * grain;
  const end = Math.ceil(w.end / grain) * grain;
  return useQueries({
    queries: sources.map((s) => ({
      ...annotations.events(s, start, end),
      enabled,
      refetchInterval: 30_000,
      placeholderData: (old: Mark[] | undefined) => old,
    })),
    combine: (all) => all.flatMap((q, i) => (q.data ?? []).map((e) => ({ ...e, stream: sources[i] ?? "" }))),
  });
}
