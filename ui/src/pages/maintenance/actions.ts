import { useQueryClient } from "@tanstack/react-query";
import { maintenance } from "../../api/maintenance";
import type { Occurrence, WindowView } from "../../api/ui.gen";
import { clock } from "../../lib/format";
import { toast } from "../../toasts/toast";
import { bodyOf, type Draft, draftOf, isFirst, type Scope, without } from "./draft";

/** Saves a draft. Of a window that repeats, one time or the later ones become a window of their own. */
export async function save(d: Draft): Promise<unknown> {
  const { window, occurrence } = d;
  if (!window || !occurrence) return maintenance.create(bodyOf(d));
  if (!window.repeat || (d.scope === "later" && isFirst(window, occurrence)))
    return maintenance.update({ id: window.id, ...bodyOf(d) });
  return maintenance.split({
    id: window.id,
    start: occurrence.start,
    later: d.scope === "later",
    window: bodyOf(d),
  });
}

/** Takes one time, or that one and all later ones, from a window that repeats. */
const leaveOut = (window: WindowView, o: Occurrence, scope: Scope) =>
  maintenance.update({ id: window.id, ...(scope === "one" ? without(window, o) : { ends_at: o.start }) });

export function remove({ window, occurrence, scope }: Draft): Promise<unknown> {
  if (!window || !occurrence) return Promise.resolve();
  if (!window.repeat || (scope === "later" && isFirst(window, occurrence))) return maintenance.remove(window.id);
  return leaveOut(window, occurrence, scope);
}

/** What is done to a window that is under way. */
export function useNow(window: WindowView, o: Occurrence, done: () => void) {
  const client = useQueryClient();
  const endAt = (end: number, words: string) =>
    save({ ...draftOf(window, o), end })
      .then(() => client.invalidateQueries({ queryKey: ["maintenance"] }))
      .then(
        () => {
          toast(words);
          done();
        },
        (err: Error) => toast(err.message, { tone: "error" }),
      );
  return {
    extend: () => void endAt(o.end + 3600, `${window.name} goes on until ${clock(o.end + 3600)}.`),
    end: () => void endAt(Math.max(o.start + 1, Math.floor(Date.now() / 1000)), `${window.name} is over.`),
  };
}
