import { useQueryClient } from "@tanstack/react-query";
import type { Dynamic } from "../../api/query";
import { askStreams } from "../../api/series";
import { charts as api } from "../../api/spaces";
import type { Chart, ChartDraft } from "../../api/types";
import { lines, times } from "../../chart/data";
import { csv, download, fileName } from "../../lib/text";
import { note } from "../../notes/notes";
import { useTime } from "../../time/TimeContext";
import type { CardActions } from "./ChartCard";

export const draftOf = ({ id: _, ...draft }: Chart): ChartDraft => ({
  ...draft,
  streams: draft.streams.map(({ id: __, ...s }) => s),
});

/** What the menu of a chart does. */
export function useCardActions(
  space: number,
  dynamic: Dynamic[],
  move: (c: Chart) => void,
  replaced: (old: number, made: number) => Promise<void>,
): CardActions {
  const client = useQueryClient();
  const time = useTime();
  const key = api.of(space).queryKey;
  const reload = () => client.invalidateQueries({ queryKey: ["spaces"] });
  const complain = (err: unknown) => note(err instanceof Error ? err.message : String(err), { tone: "error" });
  return {
    move,
    duplicate: (c) => void api.create(space, { ...draftOf(c), name: `${c.name} copy` }).then(reload, complain),
    save: (c, patch) => void api.update(space, c.id, patch).then(reload, complain),
    remove: (c) => {
      // Undo makes the chart anew, in its old place.
      client.setQueryData<Chart[]>(key, (old) => old?.filter((x) => x.id !== c.id));
      void api.remove(space, c.id).then(reload, complain);
      note(`${c.name || "Chart"} deleted`, {
        undo: () =>
          void api
            .create(space, draftOf(c))
            .then((made) => replaced(c.id, made.id))
            .then(reload, complain),
      });
    },
    png: async (c, card) => {
      try {
        const { copyPicture, picture } = await import("../../chart/png");
        const how = await copyPicture(await picture(card, c.name), fileName(c.name, "png"), (name, blob) =>
          download(name, blob),
        );
        note(how === "copied" ? "Picture copied" : "Picture saved");
      } catch (err) {
        complain(err);
      }
    },
    csv: async (c) => {
      try {
        const w = time.window;
        const { results } = await askStreams(c.streams, dynamic)(w);
        const drawn = lines(c.streams, results, w);
        const rows = times(w).map((t, i) => [
          new Date(t * 1000).toISOString(),
          ...drawn.map((l) => l.values[i] ?? null),
        ]);
        download(fileName(c.name, "csv"), csv([["time", ...drawn.map((l) => l.label)], ...rows]), "text/csv");
      } catch (err) {
        complain(err);
      }
    },
    json: (c) => download(fileName(c.name, "json"), JSON.stringify(draftOf(c), null, 2), "application/json"),
  };
}
