import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { spaces } from "../../api/spaces";
import type { Chart } from "../../api/types";
import type { GridPosition, Layout } from "../../api/ui.gen";
import { useSession } from "../../shell/useSession";
import { toast } from "../../toasts/toast";
import type { Arrangement } from "./arrangement";
import { arrange, same, sectionOf } from "./layout";

const wait = 600;
const nothing: Layout = { layout: [], default_tags: [], annotations: [], updated_at: 0, updated_by: "" };

/** Who else changed a layout since it was last seen, if somebody did. Times are seconds, so the boxes count too. */
export function changedBy(seen: Layout | undefined, now: Layout): string | undefined {
  if (!seen || (seen.updated_at >= now.updated_at && same(seen.layout, now.layout))) return undefined;
  return now.updated_by || "somebody";
}

/**
 * The layout of a space: shown at once, saved a moment after the last change,
 * with a way back. Where two people edit, the newest wins, and the other one's
 * is a press away.
 */
export function useLayout(space: number, charts: Chart[]) {
  const client = useQueryClient();
  const { user } = useSession();
  const query = spaces.layout(space);
  const { data: saved } = useQuery({ ...query, refetchInterval: 10_000 });
  const [draft, setDraft] = useState<GridPosition[] | null>(null);
  const timer = useRef(0);
  /** The layout as it was last seen or saved here. */
  const known = useRef<Layout | undefined>(undefined);
  const busy = useRef(false);
  const stored = saved ?? nothing;
  const boxes = useMemo(() => arrange(draft ?? stored.layout, charts), [draft, stored.layout, charts]);

  useEffect(() => {
    if (!saved || busy.current) return;
    const who = changedBy(known.current, saved);
    // A restore of one's own says so itself, with a way back.
    if (who && who !== user.email) toast(`Changed by ${who} just now`);
    known.current = saved;
  }, [saved, user.email]);

  async function store(patch: Partial<Layout>): Promise<Layout | undefined> {
    busy.current = true;
    const now = client.getQueryData<Layout>(query.queryKey) ?? nothing;
    // No version goes along: the newest wins, and the other one's is offered below and kept in the history.
    const { version: _, ...next } = { ...now, ...patch };
    client.setQueryData(query.queryKey, next);
    try {
      // Read before it is overwritten: changes of somebody else must not be lost silently.
      const theirs = await client.fetchQuery({ ...query, queryKey: [...query.queryKey, "theirs"], staleTime: 0 });
      await spaces.saveLayout(space, next);
      const seen = known.current;
      const after = await client.fetchQuery({ ...query, staleTime: 0 });
      known.current = after;
      return changedBy(seen, theirs) ? theirs : undefined;
    } catch (err) {
      toast(`Not saved: ${err instanceof Error ? err.message : err}`, { tone: "error" });
      await client.invalidateQueries({ queryKey: query.queryKey });
      return undefined;
    } finally {
      busy.current = false;
    }
  }
  async function save(next: GridPosition[], before: GridPosition[]): Promise<void> {
    const theirs = await store({ layout: next });
    setDraft(null);
    if (theirs && !same(theirs.layout, next)) {
      toast(`Changed by ${theirs.updated_by || "somebody"} just now`, {
        action: { label: "Show theirs", run: () => void store({ layout: theirs.layout }) },
      });
      return;
    }
    if (!same(before, next)) toast("Layout saved", { undo: () => void store({ layout: before }) });
  }
  function change(next: GridPosition[]): void {
    const before = boxes;
    setDraft(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void save(next, before), wait);
  }
  function changeSections({ sections, boxes: layout }: Arrangement, said: string): void {
    const before = { sections: stored.sections ?? [], layout: boxes };
    void store({ sections, layout });
    toast(said, { undo: () => void store(before) });
  }
  /** The sections that a chart can be moved to, and what moves it. */
  function sectionsOf(chart: number) {
    const { sections = [] } = stored;
    const own = sectionOf(boxes.find((b) => b.chart === chart) ?? {});
    return {
      sections: sections.map(({ name }, i) => ({ number: i + 1, name })).filter((s) => s.number !== own),
      onSection: async (section: number) => change((await import("./arrangement")).toSection(boxes, chart, section)),
    };
  }
  return { boxes, stored, ready: saved !== undefined, change, changeSections, sectionsOf, store };
}
