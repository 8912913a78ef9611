import { useQueryClient } from "@tanstack/react-query";
import type { Dynamic } from "../../api/query";
import type { Chart } from "../../api/types";
import { useTime } from "../../time/TimeContext";
import type { Place } from "./cardActions";

export type CardActions = {
  duplicate: (c: Chart) => void;
  copy: (c: Chart) => void;
  move: (c: Chart) => void;
  history: (c: Chart) => void;
  remove: (c: Chart) => void;
  save: (c: Chart, patch: Partial<Chart>) => void;
  png: (c: Chart, card: HTMLElement) => void;
  csv: (c: Chart) => void;
  json: (c: Chart) => void;
  duplicateAll: (all: Chart[]) => void;
  removeAll: (all: Chart[]) => void;
};

/** What the menu of a chart does; how, is loaded when something is chosen. */
export function useCardActions(
  space: number,
  dynamic: Dynamic[],
  open: (kind: "copy" | "move" | "chartHistory", c: Chart) => void,
  replaced: Place["replaced"],
): CardActions {
  const client = useQueryClient();
  const { window, compare } = useTime();
  const place: Place = { space, client, dynamic, window, compare, replaced };
  const act = async (run: (does: typeof import("./cardActions")) => Promise<void>) => {
    const does = await import("./cardActions");
    await run(does).catch(does.complain);
  };
  return {
    copy: (c) => open("copy", c),
    move: (c) => open("move", c),
    history: (c) => open("chartHistory", c),
    duplicate: (c) => void act((does) => does.duplicate(place, [c])),
    remove: (c) => void act((does) => does.remove(place, [c])),
    save: (c, patch) => void act((does) => does.save(place, c, patch)),
    png: (c, card) => void act((does) => does.png(place, c, card)),
    csv: (c) => void act((does) => does.csv(place, c)),
    json: (c) => void act((does) => does.json(place, c)),
    duplicateAll: (all) => void act((does) => does.duplicate(place, all)),
    removeAll: (all) => void act((does) => does.remove(place, all)),
  };
}
