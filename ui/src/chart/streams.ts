import { type Line, type Stats, stats } from "./data";

/** A line of the table of streams, with what its values come to, and how many percent more it is than it was. */
export type StreamRow = { line: Line; stats: Stats; change?: number | null };

/** What the table shows of all its rows. Sort is a column, with a minus from the highest. */
export type StreamView = { sort: string; find: string; show: string };

export const wholeView: StreamView = { sort: "", find: "", show: "all" };

/** What numbers of the table are marked: those on one side of what was typed. */
export type Limit = { side: "above" | "below"; text: string };

export const noLimit: Limit = { side: "above", text: "" };

export const isBadLimit = ({ text }: Limit): boolean => text.trim() !== "" && !Number.isFinite(Number(text));

/** Whether a number is on the marked side. */
export function isBeyond(v: number | null, { side, text }: Limit): boolean {
  if (v === null || text.trim() === "") return false;
  return side === "above" ? v > Number(text) : v < Number(text);
}

export const shows = [
  { value: "all", label: "all" },
  ...[10, 50, 200].flatMap((n) => [
    { value: `top${n}`, label: `top ${n}` },
    { value: `bottom${n}`, label: `bottom ${n}` },
  ]),
];

export const numbers = [
  { key: "last", label: "Last" },
  { key: "min", label: "Min" },
  { key: "mean", label: "Average" },
  { key: "max", label: "Max" },
  { key: "sum", label: "Sum" },
] as const;

export const rowsOf = (lines: Line[], changed?: Map<string, number | null>): StreamRow[] =>
  lines.map((line) => ({ line, stats: stats(line.values), change: changed?.get(line.key) ?? null }));

const first = ["host", "region"];
const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);

/** The tags that tell lines apart, in the order host, region, then by name; and those that all share. */
export function tagsOf(lines: Line[]): { differing: string[]; shared: [string, string][] } {
  const names = [...new Set(lines.flatMap((l) => Object.keys(l.tags)))];
  const differs = (name: string) => lines.some((l) => l.tags[name] !== lines[0]?.tags[name]);
  return {
    differing: names.filter(differs).sort((a, b) => place(a) - place(b) || a.localeCompare(b)),
    shared: names.filter((n) => !differs(n)).map((n) => [n, lines[0]?.tags[n] ?? ""]),
  };
}

/** Whether a row has what is looked for: every word in some tag or its name; tag:value in that tag. */
export function matches({ line }: StreamRow, find: string): boolean {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  return words.every((word) => {
    const [, name = "", part = ""] = /^([^:]+):(.*)$/.exec(word) ?? [];
    const tag = Object.entries(line.tags).find(([k]) => k.toLowerCase() === name);
    if (tag) return tag[1].toLowerCase().includes(part);
    return [line.label, ...Object.values(line.tags)].some((text) => text.toLowerCase().includes(word));
  });
}

/** Text as people count: web-2 before web-10. */
const byText = new Intl.Collator(undefined, { numeric: true });

/** What a row has in a column of numbers; undefined for the others. */
function numberIn(r: StreamRow, column: string): number | null | undefined {
  if (column === "change") return r.change ?? null;
  const number = numbers.find((n) => n.key === column);
  return number && r.stats[number.key];
}

function compare(a: StreamRow, b: StreamRow, column: string): number {
  const x = numberIn(a, column);
  if (x !== undefined) return (x ?? 0) - (numberIn(b, column) ?? 0);
  if (column === "name") return byText.compare(a.line.label, b.line.label);
  return byText.compare(a.line.tags[column] ?? "", b.line.tags[column] ?? "");
}

/** Rows without a number are last, whichever way the others stand. */
const isEmpty = (r: StreamRow, column: string): boolean => numberIn(r, column) === null;

const sorted = (rows: StreamRow[], sort: string): StreamRow[] => {
  if (!sort) return rows;
  const down = sort.startsWith("-");
  const column = down ? sort.slice(1) : sort;
  return rows.toSorted(
    (a, b) => Number(isEmpty(a, column)) - Number(isEmpty(b, column)) || (down ? -1 : 1) * compare(a, b, column),
  );
};

/** What the top and the bottom are of: the number the table is sorted by, or else the last one. */
function measured(rows: StreamRow[], sort: string): string {
  const column = sort.replace("-", "");
  return rows.some((r) => numberIn(r, column) != null) ? column : "last";
}

/** The rows that a view shows, in its order. */
export function arranged(rows: StreamRow[], { sort, find, show }: StreamView): StreamRow[] {
  const found = find.trim() ? rows.filter((r) => matches(r, find)) : rows;
  const [, end, n] = /^(top|bottom)(\d+)$/.exec(show) ?? [];
  if (!end) return sorted(found, sort);
  const column = measured(found, sort);
  const best = sorted(found, end === "top" ? `-${column}` : column).slice(0, Number(n));
  return sort ? sorted(best, sort) : best;
}
