import { useEffect } from "react";
import type { QuerySearch } from "../../lib/explore";
import { keptFor } from "../../lib/org";
import { type Search, stringifySearch } from "../../lib/search";
import { useSession } from "../../shell/useSession";

export type Past = { search: string; title: string; at: number };

/** As many are remembered. */
const most = 20;
/** So long something is looked at before it counts. */
const settled = 2_000;

const placeOf = (user: string) => `tidemark.explore.${keptFor()}.${user}`;

/** What the queries of a page ask for, in few words. */
export const titleOf = (queries: QuerySearch[]) => queries.flatMap((q) => q.metric ?? q.q ?? []).join(", ");

export function pastQueries(user: string): Past[] {
  try {
    const kept = JSON.parse(localStorage.getItem(placeOf(user)) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

/** The latest first, each once whatever its time. */
export const remembered = (old: Past[], now: Past): Past[] =>
  [now, ...old.filter((p) => p.title !== now.title || questions(p.search) !== questions(now.search))].slice(0, most);

const timed = /^([b-f]\.)?(from|to|compare|brush|against|without|view)$/;
const questions = (search: string) =>
  [...new URLSearchParams(search)]
    .filter(([k]) => !timed.test(k))
    .map((p) => p.join("="))
    .sort()
    .join("&");

/** Remembers, in this browser, what its person asked for. */
export function useHistory(search: Search, queries: QuerySearch[]): void {
  const { user } = useSession();
  const title = titleOf(queries);
  const text = stringifySearch(search).slice(1);
  useEffect(() => {
    if (!title) return;
    const timer = window.setTimeout(() => {
      const kept = remembered(pastQueries(user.email), { search: text, title, at: Math.round(Date.now() / 1000) });
      localStorage.setItem(placeOf(user.email), JSON.stringify(kept));
    }, settled);
    return () => window.clearTimeout(timer);
  }, [title, text, user.email]);
}
