import { useQueries } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { annotations } from "../../api/annotations";
import type { Dynamic } from "../../api/query";
import type { Chart, TagFilter } from "../../api/types";
import type { Mark } from "../../chart/Marks";
import { chartFollows, dynamicOf, type Filter, filtersOf, filterText, groupsOf } from "../../lib/filters";
import type { TagSearch } from "../../lib/search";
import type { Window } from "../../time/range";

type ViewSearch = TagSearch & { group?: string | undefined };

export type SpaceFilters = {
  filters: Filter[];
  groups: string[];
  dynamic: Dynamic[];
  setFilter: (name: string, values: string[], not: boolean) => void;
  setGroup: (name: string, on: boolean) => void;
};

/** The filters of a space: in the address, or its defaults. */
export function useSpaceFilters(defaults: TagFilter[]): SpaceFilters {
  const search = useSearch({ strict: false }) as ViewSearch;
  const navigate = useNavigate();
  const change = useCallback(
    (patch: Record<string, string | undefined>) =>
      void navigate({ to: ".", search: (old: ViewSearch) => ({ ...old, ...patch }) } as never),
    [navigate],
  );
  const filters = useMemo(() => filtersOf(search, defaults), [search, defaults]);
  const groups = useMemo(() => groupsOf(search.group), [search.group]);
  const dynamic = useMemo(() => dynamicOf(filters, groups), [filters, groups]);
  return {
    filters,
    groups,
    dynamic,
    setFilter: (name, values, not) =>
      change({
        [`tag.${name}`]: filterText(
          values,
          not,
          defaults.some((d) => d.name === name),
        ),
      }),
    setGroup: (name, on) => {
      const next = on ? [...groups, name] : groups.filter((g) => g !== name);
      change({ group: next.join(",") || undefined });
    },
  };
}

export function reachOf(charts: Chart[]) {
  return (name: string) =>
    `${charts.filter((c) => chartFollows(c, name)).length} of ${charts.length} charts follow this filter`;
}

export const metricsOf = (charts: Chart[]) =>
  [
    ...new Set(
      charts.flatMap((c) => c.streams.flatMap((s) => (s.metric && s.type !== "annotation" ? [s.metric] : []))),
    ),
  ].sort();

/** Events move with the window in steps, so that a tick does not ask for all of them again. */
const grain = 300;

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
