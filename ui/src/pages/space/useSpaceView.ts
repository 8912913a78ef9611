import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import type { Dynamic } from "../../api/query";
import type { Chart, TagFilter } from "../../api/types";
import { chartFollows, dynamicOf, type Filter, filtersOf, filterText, groupsOf } from "../../lib/filters";
import { count } from "../../lib/format";
import type { TagSearch } from "../../lib/search";
import { nameIn, sameText } from "../../lib/tagOf";

type ViewSearch = TagSearch & { group?: string | undefined };

export type SpaceFilters = {
  filters: Filter[];
  groups: string[];
  dynamic: Dynamic[];
  setFilter: (name: string, values: string[], not: boolean) => void;
  setGroup: (name: string, on: boolean) => void;
};

const nothing: ViewSearch = {};

/** The filters of a space: in the address, or its defaults; where they are locked, whatever the address says. */
export function useSpaceFilters(defaults: TagFilter[], locked = false): SpaceFilters {
  const asked = useSearch({ strict: false }) as ViewSearch;
  const search = locked ? nothing : asked;
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
    setFilter: (tag, values, not) => {
      const own = defaults.map((d) => d.name);
      const name = nameIn([...filters.map((f) => f.name), ...own], tag);
      change({ [`tag.${name}`]: filterText(values, not, own.includes(name)) });
    },
    setGroup: (name, on) => {
      const next = on ? [...groups, name] : groups.filter((g) => !sameText(g, name));
      change({ group: next.join(",") || undefined });
    },
  };
}

export function reachOf(charts: Chart[]) {
  return (name: string) =>
    `${charts.filter((c) => chartFollows(c, name)).length} of ${count(charts.length, "chart")} follow this filter`;
}

export const metricsOf = (charts: Chart[]) =>
  [
    ...new Set(
      charts.flatMap((c) => c.streams.flatMap((s) => (s.metric && s.type !== "annotation" ? [s.metric] : []))),
    ),
  ].sort();

export type SpaceLinks = { addChart: () => void; wall: () => void; history: () => void };

/** Where one goes from a space; time and filters come along. */
export function useSpaceLinks(id: number): SpaceLinks {
  const navigate = useNavigate();
  const go = (to: string) => () =>
    void navigate({ to, params: { id: String(id) }, search: (old: object) => old } as never);
  return {
    addChart: go("/spaces/$id/charts/new"),
    wall: go("/spaces/$id/wall"),
    history: go("/spaces/$id/history"),
  };
}
