import { chartsOf, type Document } from "../../../history/compare";

export type Line = { kind: "same" | "added" | "removed"; text: string };
/** Lines that are alike and not shown. */
export type LeftOut = { kind: "left out"; lines: number };

const line = (kind: Line["kind"]) => (text: string) => ({ kind, text });

/** How many pairs of lines are compared; beyond, everything is removed and added. */
const most = 4_000_000;

/** How long the longest common part of a and b is, from each pair of places on. */
function lengths(a: string[], b: string[]): Uint16Array[] {
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, next] = [table[i], table[i + 1]];
    if (!row || !next) continue;
    for (let j = b.length - 1; j >= 0; j--)
      row[j] = a[i] === b[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0);
  }
  return table;
}

/** What differs between texts that begin and end differently. */
function middle(a: string[], b: string[]): Line[] {
  if (a.length * b.length > most) return [...a.map(line("removed")), ...b.map(line("added"))];
  const table = lengths(a, b);
  const out: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      out.push({ kind: "same", text: a[i++] ?? "" });
      j++;
    } else if (i < a.length && (j === b.length || (table[i + 1]?.[j] ?? 0) >= (table[i]?.[j + 1] ?? 0)))
      out.push({ kind: "removed", text: a[i++] ?? "" });
    else out.push({ kind: "added", text: b[j++] ?? "" });
  }
  return out;
}

/** Two texts as one, line by line. */
export function textDifference(before: string, after: string): Line[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  return [
    ...a.slice(0, start).map(line("same")),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(line("same")),
  ];
}

/** Only what differs, and the lines around it. */
export function nearby(lines: Line[], around = 3): (Line | LeftOut)[] {
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - around), i + around + 1).some((l) => l.kind !== "same"),
  );
  const out: (Line | LeftOut)[] = [];
  for (const [i, l] of lines.entries()) {
    const last = out.at(-1);
    if (isNear[i]) out.push(l);
    else if (last?.kind === "left out") last.lines++;
    else out.push({ kind: "left out", lines: 1 });
  }
  return out;
}

type ChartDocument = (id: number, version: number) => Document | undefined;

/** A version of a space as text, with those of its charts that are at hand. */
export const textOf = (d: Document, chart: ChartDocument): string =>
  JSON.stringify({ ...d, charts: chartsOf(d).map((c) => chart(c.id, c.version) ?? c) }, null, 2);
