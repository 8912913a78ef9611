import type { ChartDraft, Stream, Threshold } from "../api/types";
import { type Cell, type Line, lastValue, stats, tagKey } from "../chart/data";
import { change } from "../chart/past";
import { tagsOf } from "../chart/streams";

export type Column = { stream: number; label: string; unit: string; thresholds: Threshold[] };
export type Row = {
  key: string;
  name: string;
  tags: Record<string, string>;
  cells: (number | null)[];
  /** The range of the column that the table is sorted by. */
  past: Cell[];
  /** How many percent more that column is than in the time it is compared with. */
  change: number | null;
};
export type Table = { by: string[]; columns: Column[]; rows: Row[]; total: number };

/** More do not fit beside each other. */
const mostColumns = 6;
export const defaultTop = 10;

/** What rows are sorted by beside the numbers of a column. */
export const byName = -1;
export const byChange = -2;

/** What of a range is the number of a line. */
export function numberOf(
  l: Pick<Line, "values">,
  value: string | null | undefined,
  incomplete: boolean,
): number | null {
  if (!value || value === "last") return lastValue(l.values, incomplete);
  const all = stats(incomplete ? l.values.slice(0, -1) : l.values);
  return all[value as keyof typeof all] ?? null;
}

const shown = (s: Stream) => s.type !== "annotation" && !s.hidden;

function columnsOf(chart: ChartDraft, lines: Line[]): Column[] {
  const sorted = sortOf(chart);
  return chart.streams
    .flatMap((s, i) => (shown(s) ? [{ s, i }] : []))
    .slice(0, mostColumns)
    .map(({ s, i }) => ({
      stream: i,
      label: s.name || s.metric || "composite",
      unit: lines.find((l) => l.stream === i)?.unit ?? s.units_short ?? "",
      thresholds: s.thresholds ?? (i === sorted ? (chart.thresholds ?? []) : []),
    }));
}

/** The stream that a chart is sorted by: the one it says, if it is shown. */
export function sortOf({ streams, attributes }: ChartDraft): number {
  const wanted = attributes?.sort ?? 0;
  const there = streams[wanted];
  return there && shown(there) ? wanted : streams.findIndex(shown);
}

/** The tags that name rows: those that differ, or all where there is one row. */
function rowTags(lines: Line[]): string[] {
  const { differing } = tagsOf(lines);
  return differing.length > 0 ? differing : Object.keys(lines[0]?.tags ?? {}).sort();
}

/** Streams become columns and their groups rows; those with the highest numbers of one column come first. */
export function tableOf(chart: ChartDraft, lines: Line[], incomplete: boolean, then: Line[] = []): Table {
  const { attributes: a = {} } = chart;
  const columns = columnsOf(chart, lines);
  const by = rowTags(lines);
  const sorted = sortOf(chart);
  const was = new Map(then.map((l) => [l.key, l]));
  const rows = new Map<string, Row>();
  for (const l of lines) {
    const at = columns.findIndex((c) => c.stream === l.stream);
    if (at < 0) continue;
    const key = tagKey(l.tags);
    const name = by.map((tag) => l.tags[tag] ?? "none").join(", ") || l.label;
    const row = rows.get(key) ?? { key, name, tags: l.tags, cells: columns.map(() => null), past: [], change: null };
    const now = numberOf(l, a.value, incomplete);
    row.cells[at] = now;
    if (l.stream === sorted) {
      const before = was.get(l.key);
      row.past = incomplete ? l.values.slice(0, -1) : l.values;
      row.change = change(now, before ? numberOf(before, a.value, incomplete) : null);
    }
    rows.set(key, row);
  }
  return { by, columns, rows: [...rows.values()], total: rows.size };
}

/** Sorted by a column, by name or by change; rows without a number are last whichever way the others stand. */
export function arranged(rows: Row[], column: number, lowest: boolean): Row[] {
  const text = (a: Row, b: Row) => a.name.localeCompare(b.name, undefined, { numeric: true });
  const number = (r: Row) => (column === byChange ? r.change : r.cells[column]);
  return rows.toSorted((a, b) => {
    const [x, y] = [number(a), number(b)];
    if (column === byName) return lowest ? text(a, b) : text(b, a);
    if (x == null || y == null) return Number(x == null) - Number(y == null) || text(a, b);
    return (lowest ? x - y : y - x) || text(a, b);
  });
}

/** The least and the most of all rows: small lines of one scale can be compared. */
export function scaleOf(rows: Row[]): [number, number] {
  let [low, high] = [0, 0];
  for (const { past } of rows)
    for (const v of past)
      if (v != null) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  return [low, high];
}
