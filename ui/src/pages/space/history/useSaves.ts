import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { history, type Thing } from "../../../api/history";
import { chosenOf, keptWords, type Save, savesOf } from "./saves";

export type Saves = ReturnType<typeof useSaves>;

/** The saves of a space, the newest first, and the one that the address names. */
export function useSaves(thing: Thing, number: number | undefined) {
  const query = useInfiniteQuery({ ...history.list(thing), staleTime: 0 });
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const [apart, setApart] = useState<ReadonlySet<number>>(new Set());
  const saves = useMemo(() => {
    const versions = data?.pages.flatMap((p) => p.versions) ?? [];
    const earlier = data?.pages.at(-1)?.earlier;
    const seen = new Set([...apart, ...(number === undefined ? [] : [number])]);
    const all = savesOf(earlier ? [...versions, earlier] : versions, seen);
    // The first of the next page is only there to compare with.
    return all.filter((s) => s.version !== earlier);
  }, [data, apart, number]);
  const chosen = chosenOf(saves, number);
  // It is older than what is listed, or what was before it is.
  const lacking = data !== undefined && hasNextPage && !isFetchNextPageError && !chosen?.before;
  useEffect(() => {
    if (lacking && !isFetchingNextPage) void fetchNextPage();
  }, [lacking, isFetchingNextPage, fetchNextPage]);
  const latest = saves[0]?.version.number ?? 0;
  const kept = data?.pages[0]?.kept ?? 0;
  const listed = saves.reduce((n, s) => n + s.all.length, 0);
  return {
    query,
    saves,
    chosen,
    lacking,
    latest,
    kept: keptWords(hasNextPage ? Math.min(latest, kept || latest) : listed, kept),
    /** Shows each of those that a save stands for. */
    takeApart: (s: Save) => setApart(new Set([...apart, ...s.all.slice(1).map((v) => v.number)])),
  };
}
