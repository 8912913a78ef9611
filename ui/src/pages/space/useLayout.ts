import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { spaces } from "../../api/spaces";
import type { Box, Chart, SpaceLayout } from "../../api/types";
import { note } from "../../notes/notes";
import { arrange, same } from "./layout";

const wait = 600;
const nothing: SpaceLayout = { layout: [], default_tags: [], annotations: [] };

/** The layout of a space: shown at once, saved a moment after the last change, with a way back. */
export function useLayout(space: number, charts: Chart[]) {
  const client = useQueryClient();
  const { data: saved } = useQuery({ ...spaces.layout(space), refetchInterval: 30_000 });
  const [draft, setDraft] = useState<Box[] | null>(null);
  const timer = useRef(0);
  const known = useRef<number | undefined>(undefined);
  const stored = saved ?? nothing;
  const boxes = useMemo(() => arrange(draft ?? stored.layout, charts), [draft, stored.layout, charts]);

  useEffect(() => {
    const changed = saved?.updated_at;
    if (changed && known.current && changed > known.current && saved.updated_by)
      note(`Changed by ${saved.updated_by} just now`);
    if (changed) known.current = changed;
  }, [saved]);

  async function store(patch: Partial<SpaceLayout>): Promise<void> {
    const now = client.getQueryData<SpaceLayout>(spaces.layout(space).queryKey) ?? nothing;
    const next = { ...now, ...patch };
    client.setQueryData(spaces.layout(space).queryKey, next);
    try {
      await spaces.saveLayout(space, {
        layout: next.layout,
        default_tags: next.default_tags,
        annotations: next.annotations,
      });
      known.current = undefined;
      await client.invalidateQueries({ queryKey: spaces.layout(space).queryKey });
    } catch (err) {
      note(`Not saved: ${err instanceof Error ? err.message : err}`, { tone: "error" });
    }
  }
  function change(next: Box[]): void {
    const before = boxes;
    setDraft(next);
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(async () => {
      await store({ layout: next });
      setDraft(null);
      if (!same(before, next)) note("Layout saved", { undo: () => void store({ layout: before }) });
    }, wait);
  }
  return { boxes, stored, ready: saved !== undefined, change, store };
}
