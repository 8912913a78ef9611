import type { SpaceSummary } from "../api/types";

/** How the list of spaces is narrowed and sorted, as its address says it. */
export type SpaceListing = { q?: string; tag?: string; owner?: string; sort?: string };

type Order = (a: SpaceSummary, b: SpaceSummary) => number;
const byName: Order = (a, b) => a.name.localeCompare(b.name);

/** Of times the newest are first, of numbers the largest; nobody's spaces come last. */
const orders = new Map<string, Order>(
  Object.entries<Order>({
    name: byName,
    owner: (a, b) => Number(!a.owner) - Number(!b.owner) || a.owner_name.localeCompare(b.owner_name),
    charts: (a, b) => b.charts - a.charts,
    edited: (a, b) => b.edited_at - a.edited_at,
    opened: (a, b) => b.opened_at - a.opened_at,
  }),
);

export const sortWords: Record<string, string> = {
  "": "Pinned first",
  name: "Name",
  owner: "Owner",
  charts: "Charts",
  edited: "Last edited",
  opened: "Recently opened",
};

const has = (s: SpaceSummary, q: string) => {
  const text = [s.name, s.owner_name, ...s.tags].join("\n").toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((w) => text.includes(w));
};

/** The spaces that are asked for, in the order that is. */
export function listed(all: SpaceSummary[], { q = "", tag, owner, sort = "" }: SpaceListing): SpaceSummary[] {
  const by = orders.get(sort.replace(/^-/, ""));
  const order: Order = by ?? ((a, b) => Number(b.pinned) - Number(a.pinned));
  const way = sort.startsWith("-") ? -1 : 1;
  return all
    .filter((s) => has(s, q.trim()) && (!tag || s.tags.includes(tag)) && (!owner || String(s.owner) === owner))
    .sort((a, b) => way * order(a, b) || byName(a, b));
}

/** Every tag with how many spaces have it, by name. */
export function tagsOf(all: SpaceSummary[]): { tag: string; spaces: number }[] {
  const counts = new Map<string, number>();
  for (const t of all.flatMap((s) => s.tags)) counts.set(t, (counts.get(t) ?? 0) + 1);
  return [...counts].map(([tag, n]) => ({ tag, spaces: n })).sort((a, b) => a.tag.localeCompare(b.tag));
}

/** Who has spaces, by name, nobody last. */
export function ownersOf(all: SpaceSummary[]): { owner: string; name: string }[] {
  const names = new Map(all.map((s) => [String(s.owner), s.owner_name || "Nobody"]));
  return [...names]
    .map(([owner, name]) => ({ owner, name }))
    .sort((a, b) => Number(a.owner === "0") - Number(b.owner === "0") || a.name.localeCompare(b.name));
}
