import { type UseQueryResult, useQueries } from "@tanstack/react-query";
import { history, type VersionKind } from "../api/history";
import type { Version } from "../api/ui.gen";
import { chartWords, compare, type Document, type Row } from "./compare";
import { useNames } from "./useNames";
import type { Names } from "./words";

/** A chart in one of its versions. */
export type ChartVersion = { id: number; version: number };
type Documents = {
  of: (id: number, version: number | undefined) => Document | undefined;
  pending: boolean;
  error: Error | null;
};

const combine = (found: UseQueryResult<Version>[]) => ({
  all: found.map((q) => q.data?.document),
  pending: found.some((q) => q.isPending),
  error: found.find((q) => q.error)?.error ?? null,
});

/** Charts as they were: a version of a space has only the numbers of theirs. */
export function useChartVersions(wanted: ChartVersion[]): Documents {
  const { all, pending, error } = useQueries({
    queries: wanted.map(({ id, version }) => history.version({ kind: "chart", id }, version)),
    combine,
  });
  const of = (id: number, version: number | undefined) =>
    all[wanted.findIndex((w) => w.id === id && w.version === version)];
  return { of, pending, error };
}

/** The charts that must be read to tell what a row is about: one that only moved is as it was. */
export const chartsIn = (rows: Row[]): ChartVersion[] =>
  rows.flatMap(({ mark, chart }) => {
    if (!chart || mark === "Moved") return [];
    return [chart.before, chart.after].flatMap((version) => (version ? [{ id: chart.id, version }] : []));
  });

/** What changed in a chart of a space, or what came and went; nothing while that is on its way. */
function inChart(r: Row, charts: Documents, names: Names): Row[] {
  if (!r.chart || r.mark === "Moved") return [r];
  const { id, before, after } = r.chart;
  const [was, is] = [charts.of(id, before), charts.of(id, after)];
  if (r.mark !== "Changed") {
    const one = was ?? is;
    return [one ? { ...r, what: chartWords(one, names) } : r];
  }
  // One that cannot be read any more is still known to have changed.
  if (!was || !is) return charts.pending ? [] : [r];
  return compare("chart", was, is, names).map((row) => ({
    ...row,
    of: r.of,
    what: row.of && row.of !== row.what ? `${row.of}, ${row.what.toLowerCase()}` : row.what,
  }));
}

/** What differs between two versions; for a space also inside its charts. */
export function useDifferences(kind: VersionKind, before: Document, after: Document) {
  const names = useNames(kind === "alert");
  const found = compare(kind, before, after, names);
  const charts = useChartVersions(chartsIn(found));
  return {
    rows: found.flatMap((r) => inChart(r, charts, names)),
    pending: charts.pending,
    error: charts.error,
  };
}
