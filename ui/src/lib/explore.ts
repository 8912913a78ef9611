import type { Stream } from "../api/types";
import type { Filter } from "./filters";
import { searchOf } from "./question";
import type { Search } from "./search";

/** What the address says of one query: metric, q, tag.host, group, summary, lines, transform, streams, unit, hidden, from, to. */
export type QuerySearch = Search;

/** Queries are called by letters. The first has no prefix in the address, the others theirs: b.metric=errors. */
export const letters = ["a", "b", "c", "d", "e", "f"] as const;

/** The names that belong to a query; the rest of an address is the page's. */
const own = /^(metric|q|group|summary|lines|transform|streams|unit|hidden|tag\..+)$/;
const prefixOf = (i: number) => (i === 0 ? "" : `${letters[i]}.`);

/** What stands under a prefix, without it. */
export const under = (search: Search, prefix: string): Search =>
  Object.fromEntries(
    Object.entries(search).flatMap(([k, v]) => (k.startsWith(prefix) && v ? [[k.slice(prefix.length), v]] : [])),
  );

/** The queries that an address holds: one at least, which may be empty. */
export function queriesOf(search: Search): QuerySearch[] {
  const first = Object.fromEntries(Object.entries(search).filter(([k, v]) => own.test(k) && v));
  const others = letters.slice(1).map((l) => under(search, `${l}.`));
  const used = others.filter((q) => Object.keys(q).length > 0);
  return [first, ...used];
}

/** The address with these queries instead of those it has. */
export function withQueries(search: Search, queries: QuerySearch[]): Search {
  const page = Object.entries(search).filter(([k]) => !own.test(k) && !/^[b-f]\./.test(k));
  const named = queries.slice(0, letters.length).flatMap((q, i) =>
    Object.entries(q)
      .filter(([k]) => i > 0 || own.test(k))
      .map(([k, v]) => [prefixOf(i) + k, v] as const),
  );
  return Object.fromEntries([...page, ...named]);
}

/** The streams of a chart that Explore can show: as many as there are letters. */
export const explorable = (streams: Stream[]): Stream[] =>
  streams.filter((s) => s.type !== "annotation" && !s.hidden && (s.metric || s.composite));

/** The address of Explore that shows all streams of a chart, as they are there. */
export const exploreOf = (streams: Stream[], filters: Filter[] = []): Search =>
  withQueries(
    {},
    explorable(streams).map((s) => ({ ...searchOf(s, filters), ...(s.units_short && { unit: s.units_short }) })),
  );

export type Brush = { start: number; end: number };

/** A range that is looked at, as the address has it: brush=1700000000-1700001800. */
export function brushOf(text: string | undefined): Brush | undefined {
  const [, a, b] = /^(\d{9,11})-(\d{9,11})$/.exec(text ?? "") ?? [];
  return a && b && Number(a) < Number(b) ? { start: Number(a), end: Number(b) } : undefined;
}

export const brushText = ({ start, end }: Brush): string => `${Math.round(start)}-${Math.round(end)}`;

/** "× 137", "−45 %", "new", "stopped" */
export function changeWords(before: number | null, during: number | null): string {
  if (before === null) return "new";
  if (during === null) return "stopped";
  if (before === 0 || Math.sign(before) !== Math.sign(during)) return during > before ? "up" : "down";
  const factor = during / before;
  if (factor >= 2) return `× ${factor >= 100 ? Math.round(factor) : Number(factor.toPrecision(2))}`;
  const percent = Math.round((factor - 1) * 100);
  return `${percent < 0 ? "−" : "+"}${Math.abs(percent)} %`;
}

/** "2 min before", "with it" */
export function beginsWords(seconds: number, step: number, words: (s: number) => string): string {
  if (Math.abs(seconds) < Math.max(step, 1)) return "with it";
  return `${words(Math.abs(seconds))} ${seconds < 0 ? "before" : "after"}`;
}
