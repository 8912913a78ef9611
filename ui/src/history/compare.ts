import type { VersionKind } from "../api/history";
import type { ChartType } from "../api/types";
import type { GridPosition, Section, Version } from "../api/ui.gen";
import { count } from "../lib/format";
import { fieldWords, type Names, valueWords } from "./words";

export type Document = Record<string, unknown>;
export type Mark = "Added" | "Changed" | "Removed" | "Moved";
/** One difference between two versions. */
export type Row = {
  mark: Mark;
  /** The part it is about: "Condition 1", a chart's name; nothing for the whole. */
  of: string;
  what: string;
  before?: string | undefined;
  after?: string | undefined;
  /** A chart of a space, and its versions: what it is, and its own differences, are in them. */
  chart?: { id: number; before?: number; after?: number };
};

type Part = Record<string, unknown> & { id?: number };

/** What tells nothing: numbers of the server, and what it learns when it reads. */
const unseen = new Set(["id", "position", "source_lag", "source", "version", "md"]);
const lists = new Set(["conditions", "streams", "escalation", "charts", "layout", "attributes", "labels"]);

const row = (of: string, what: string, before?: string, after?: string): Row => ({
  mark: before === undefined ? "Added" : after === undefined ? "Removed" : "Changed",
  of,
  what,
  before,
  after,
});

/** The fields of two parts that differ. */
function fieldRows(of: string, was: Document, is: Document, names: Names): Row[] {
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((k) => !unseen.has(k) && !lists.has(k));
  return keys.flatMap((k) => {
    const [before, after] = [valueWords(k, was[k], names), valueWords(k, is[k], names)];
    // What was never said and what says nothing are the same.
    if (before === after || (before ?? "Off") === (after ?? "Off")) return [];
    return [{ ...row(of, fieldWords(k), before, after), mark: "Changed" as const }];
  });
}

const partsOf = (d: Document, field: string) => (Array.isArray(d[field]) ? (d[field] as Part[]) : []);

/** Parts of before and after that belong together: by their ids, the others in their order. */
export function pairs(was: Part[], is: Part[]): [Part | undefined, Part | undefined][] {
  const found = is.map((p) => was.find((q) => p.id !== undefined && q.id === p.id));
  const left = was.filter((q) => !found.includes(q));
  const both = is.map((p, i): [Part | undefined, Part | undefined] => [found[i] ?? left.shift(), p]);
  return [...both, ...left.map((q): [Part, undefined] => [q, undefined])];
}

type Describe = { field: string; noun: string; name: (p: Part, names: Names) => string };
const described: Describe[] = [
  { field: "conditions", noun: "Condition", name: (p, n) => [p.metric_name, valueWords("type", p.type, n)].join(", ") },
  { field: "streams", noun: "Stream", name: (p) => String(p.name || p.metric || p.composite || "") },
  { field: "escalation", noun: "Escalation step", name: (p, n) => valueWords("services", p.services, n) ?? "" },
];

function partRows({ field, noun, name }: Describe, was: Document, is: Document, names: Names): Row[] {
  const all = pairs(partsOf(was, field), partsOf(is, field));
  return all.flatMap(([before, after], i) => {
    const of = all.length > 1 ? `${noun} ${i + 1}` : noun;
    if (before && after) return fieldRows(of, before, after, names);
    return [row(of, noun, before && name(before, names), after && name(after, names))];
  });
}

const within = (d: Document, field: string) => (d[field] ?? {}) as Document;

/** Labels and attributes: one row for each name. */
function namedRows(field: string, was: Document, is: Document, names: Names): Row[] {
  const [old, now] = [within(was, field), within(is, field)];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
  return keys.flatMap((k) => {
    const [before, after] = [valueWords(k, old[k], names), valueWords(k, now[k], names)];
    const what = field === "labels" ? `Label ${k}` : fieldWords(k);
    return before === after ? [] : [row("", what, before, after)];
  });
}

/** A chart as a version of a space has it. */
export type ChartRef = { id: number; version: number; name: string; type: ChartType };
export const chartsOf = (d: Document) => partsOf(d, "charts") as unknown as ChartRef[];

const called = (c: ChartRef) => c.name || "Untitled";
type Described = { at: GridPosition; section: string };
/** Where a version has a chart; it has no place if it was never arranged. */
function placeIn(d: Document, id: number): Described | undefined {
  const at = (d.layout as GridPosition[] | undefined)?.find((p) => p.chart === id);
  const section = at?.section ? ((d.sections as Section[] | undefined)?.[at.section - 1]?.name ?? "") : "";
  return at && { at, section };
}

const spot = ({ at, section }: Described) => `${section && `${section}, `}row ${at.row + 1}, column ${at.col + 1}`;
const size = ({ at }: Described) => `${at.width} wide, ${at.height} high`;
/** Where one that came or went is. */
const placeWords = (p: Described | undefined) => (p ? `${spot(p)}, ${p.at.width} wide` : "at the end");

/** Where a chart was and is, as far as the two differ: its place, its size or both. */
function moves(was: Described | undefined, is: Described | undefined): [string, string] | undefined {
  if (!was || !is) return was || is ? [placeWords(was), placeWords(is)] : undefined;
  const words = [spot, size].filter((part) => part(was) !== part(is));
  const said = (p: Described) => words.map((part) => part(p)).join(", ");
  return words.length ? [said(was), said(is)] : undefined;
}

/** A chart that was there before: changed, moved, both or neither. */
function keptRows(old: ChartRef, c: ChartRef, was: Document, is: Document): Row[] {
  const chart = { id: c.id, before: old.version, after: c.version };
  const [before, after] = moves(placeIn(was, c.id), placeIn(is, c.id)) ?? [];
  return [
    ...(old.version === c.version ? [] : [{ mark: "Changed" as const, of: called(c), what: "Chart", chart }]),
    ...(before === after ? [] : [{ mark: "Moved" as const, of: called(c), what: "Place", before, after, chart }]),
  ];
}

/** Charts that came, went, changed or moved. */
function chartRows(was: Document, is: Document): Row[] {
  const [before, after] = [chartsOf(was), chartsOf(is)];
  const gone = before.filter((c) => !after.some((x) => x.id === c.id));
  return [
    ...after.flatMap((c): Row[] => {
      const old = before.find((x) => x.id === c.id);
      if (old) return keptRows(old, c, was, is);
      const chart = { id: c.id, after: c.version };
      return [{ mark: "Added", of: called(c), what: "Chart", after: placeWords(placeIn(is, c.id)), chart }];
    }),
    ...gone.map((c): Row => {
      const chart = { id: c.id, before: c.version };
      return { mark: "Removed", of: called(c), what: "Chart", before: placeWords(placeIn(was, c.id)), chart };
    }),
  ];
}

/** What a chart is known by: "Bar of checkout.orders". */
export function chartWords(d: Document, names: Names): string {
  const shown = valueWords("kind", within(d, "attributes").kind, names) ?? valueWords("type", d.type, names) ?? "Chart";
  const of = partsOf(d, "streams").flatMap((s) => (s.metric ? [String(s.metric)] : s.composite ? ["a composite"] : []));
  const [first, ...others] = [...new Set(of)];
  if (!first) return shown;
  return `${shown} of ${first}${others.length ? ` and ${others.length} more` : ""}`;
}

/** What differs between two versions, in the words of the editors. */
export function compare(kind: VersionKind, was: Document, is: Document, names: Names): Row[] {
  return [
    ...fieldRows("", was, is, names),
    ...described.flatMap((d) => partRows(d, was, is, names)),
    ...namedRows("labels", was, is, names),
    // Those of a chart are fields of its editor.
    ...(kind === "chart"
      ? fieldRows("", within(was, "attributes"), within(is, "attributes"), names)
      : namedRows("attributes", was, is, names)),
    ...(kind === "space" ? chartRows(was, is) : []),
  ];
}

const firsts: Record<string, string> = {
  create: "Made",
  import: "Imported",
  restore: "Restored",
  delete: "Deleted",
};

/** A row in a few words: "Threshold to 300". */
function brief(r: Row): string {
  const what = r.of && r.of !== r.what ? `${r.of}: ${r.what.toLowerCase()}` : r.what;
  if (r.mark === "Changed" && r.after !== undefined && r.after.length <= 24) return `${what} to ${r.after}`;
  return `${what} ${r.mark.toLowerCase()}`;
}

/** What a save did, in one line: "Threshold to 300; Name to disk.full", "1 chart added, 2 moved". */
export function summary(kind: VersionKind, v: Version, before: Version | undefined, names: Names): string {
  const [noun, verb = ""] = v.action.split(".");
  if (v.restored) return `Restored version ${v.restored}`;
  if (noun === kind && firsts[verb]) return firsts[verb];
  if (!v.action) return "As it was before versions were kept";
  if (!before) return "Saved";
  const rows = compare(kind, before.document, v.document, names);
  if (kind === "space") return inSpace(rows);
  const said = rows.slice(0, 2).map(brief).join("; ");
  return rows.length > 2 ? `${said}; ${rows.length - 2} more` : said || "Saved";
}

function inSpace(rows: Row[]): string {
  const charts = (mark: Mark) => rows.filter((r) => r.mark === mark && (r.what === "Chart" || r.what === "Place"));
  const said = (["Added", "Removed", "Changed", "Moved"] as const).flatMap((mark) => {
    const some = charts(mark);
    if (some.length === 1) return [`${some[0]?.of} ${mark.toLowerCase()}`];
    return some.length ? [`${count(some.length, "chart")} ${mark.toLowerCase()}`] : [];
  });
  const others = rows.filter((r) => r.what !== "Chart" && r.what !== "Place").map(brief);
  return [...others, ...said].join("; ") || "Saved";
}
