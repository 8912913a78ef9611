import type { QueryClient } from "@tanstack/react-query";
import type { Dynamic } from "../../api/query";
import { askStreams } from "../../api/series";
import { charts as api } from "../../api/spaces";
import type { Chart, ChartDraft } from "../../api/types";
import { unitOf } from "../../chart/ChartView";
import { type Column, csvOf, withPast } from "../../chart/cells";
import { lines } from "../../chart/data";
import { distributionOf, kindOf, windowFor } from "../../chart/kind";
import { count } from "../../lib/format";
import { download, fileName } from "../../lib/text";
import { countLines } from "../../panels/counts";
import { before, type Compare, compareWords, shiftOf } from "../../time/compare";
import { absolute, label, type Window } from "../../time/range";
import { toast } from "../../toasts/toast";

export const draftOf = ({ id: _, ...draft }: Chart): ChartDraft => ({
  ...draft,
  streams: draft.streams.map(({ id: __, ...s }) => s),
});

/** Where a chart is and what is seen of it. */
export type Place = {
  space: number;
  client: QueryClient;
  dynamic: Dynamic[];
  window: Window;
  /** What the page is compared with. */
  compare: Compare;
  /** Charts were created again: by their old ids, those that take their places. */
  replaced: (made: Map<number, number>) => Promise<void>;
};

const seconds = () => Date.now() / 1000;
const reload = (p: Place) => p.client.invalidateQueries({ queryKey: ["spaces"] });

/** "Latency", or "3 charts". */
export const called = (all: Chart[]) => (all.length === 1 ? all[0]?.name || "Chart" : count(all.length, "chart"));

export async function duplicate(p: Place, all: Chart[]): Promise<void> {
  for (const c of all) await api.create(p.space, { ...draftOf(c), name: `${c.name} copy` });
  await reload(p);
}

/** Creates charts again, in their old places. */
export async function createAgain(p: Pick<Place, "space" | "replaced">, all: Chart[]): Promise<void> {
  const made = new Map<number, number>();
  for (const c of all) made.set(c.id, (await api.create(p.space, draftOf(c))).id);
  await p.replaced(made);
}

export async function save(p: Place, c: Chart, patch: Partial<Chart>): Promise<void> {
  await api.update(p.space, c.id, patch);
  await reload(p);
}

/** Gone at once. Undo creates the charts again, in their old places. */
export async function remove(p: Place, all: Chart[]): Promise<void> {
  p.client.setQueryData<Chart[]>(api.of(p.space).queryKey, (old) =>
    old?.filter((x) => !all.some((c) => c.id === x.id)),
  );
  const back = async () => {
    await createAgain(p, all);
    await reload(p);
  };
  toast(`${called(all)} deleted`, { undo: () => void back().catch(complain) });
  for (const c of all) await api.remove(p.space, c.id);
  await reload(p);
}

export async function png(p: Place, c: Chart, card: HTMLElement): Promise<void> {
  const { copyPicture, picture } = await import("../../chart/png");
  const { start, end } = p.window;
  const caption = { title: c.name || "Untitled", unit: unitOf(c), range: label(absolute(start, end), seconds()) };
  const how = await copyPicture(await picture(card, caption), fileName(c.name, "png"), download);
  toast(how === "copied" ? "Picture copied" : "Picture saved");
}

export async function csv(p: Place, c: Chart): Promise<void> {
  const distribution = distributionOf(c);
  const w = distribution ? windowFor(kindOf(c), p.window) : p.window;
  const columns = distribution ? await countsOf(p, c, w) : await compared(p, c, w);
  download(fileName(c.name, "csv"), csvOf(columns, w), "text/csv");
}

async function countsOf(p: Place, c: Chart, w: Window): Promise<Column[]> {
  const { results } = await askStreams(c.streams, p.dynamic, distributionOf(c))(w);
  return countLines(results, w, lines(c.streams, results, w)[0]?.unit ?? "");
}

/** The lines of a chart, with those of the past where the page is compared with one. */
async function compared(p: Place, c: Chart, w: Window): Promise<Column[]> {
  const ask = askStreams(c.streams, p.dynamic, undefined);
  const of = async (at: Window) => {
    const { results } = await ask(at);
    return { loaded: { window: at }, lines: lines(c.streams, results, at) };
  };
  const now = await of(w);
  const by = shiftOf(p.compare, w);
  const past = by > 0 ? { ...(await of(before(w, by))), by, than: compareWords(p.compare) } : undefined;
  return withPast(now.lines, w, past);
}

export async function json(_p: Place, c: Chart): Promise<void> {
  download(fileName(c.name, "json"), JSON.stringify(draftOf(c), null, 2), "application/json");
}

export const complain = (err: unknown) => toast(err instanceof Error ? err.message : String(err), { tone: "error" });
