import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { letters, type QuerySearch, queriesOf, withQueries } from "../../lib/explore";
import type { Search } from "../../lib/search";

export type Patch = Record<string, string | undefined>;

/** The queries of the page, which its address holds, and how they are changed. */
export function useQueries() {
  const search = useSearch({ from: "/shell/explore" }) as Search;
  const navigate = useNavigate();
  const queries = useMemo(() => queriesOf(search), [search]);
  const go = (change: (old: Search) => object, replace = false) =>
    void navigate({ to: "/explore", search: change, replace } as never);
  const set = (next: QuerySearch[]) => go((old) => withQueries(old, next));
  return {
    search,
    queries,
    /** Whether there is room for one more. */
    hasRoom: queries.length < letters.length,
    /** What the letter of the next one would be. */
    next: (letters[queries.length] ?? "").toUpperCase(),
    page: (patch: Patch, replace?: boolean) => go((old) => ({ ...old, ...patch }), replace),
    change: (i: number, patch: Patch, replace?: boolean) => {
      const prefix = i === 0 ? "" : `${letters[i]}.`;
      const named = Object.fromEntries(Object.entries(patch).map(([k, v]) => [prefix + k, v]));
      go((old) => ({ ...old, ...named }), replace);
    },
    add: (q: QuerySearch) => set([...queries, q]),
    duplicate: (i: number) => set([...queries.slice(0, i + 1), queries[i] ?? {}, ...queries.slice(i + 1)]),
    remove: (i: number) => set(queries.filter((_, at) => at !== i)),
    only: (i: number) => set(queries.slice(i, i + 1)),
  };
}

export type Queries = ReturnType<typeof useQueries>;

/** A query that asks for nothing yet; a name of its own keeps its place in the address. */
export const emptyQuery: QuerySearch = { view: "metric" };
