import type { SenderGroup, SenderReason, TokenPreview } from "../../../api/ui.gen";
import { count, number } from "../../../lib/format";
import { runs } from "./words";

/** "web-01 … web-07", and what has no name: "others without a host". */
export function whoSends(g: SenderGroup): string {
  const named = runs(g.names.filter(Boolean));
  const shown = named.slice(0, 2);
  if (g.names.includes("")) shown.push(named.length > 0 ? "some without a host" : "Without a host");
  const hidden = named.length > 2 || g.count > g.names.length;
  return shown.join(", ") + (hidden ? ", …" : "");
}

/** Where senders are that would be refused for that, or may be. */
const places: Partial<Record<SenderReason["kind"], string>> = {
  network: "other network",
  some_network: "also from another network",
};

/** What would happen to senders: "queue.* refused, 3,000 of it". */
export function fate(g: SenderGroup): string {
  if (g.reasons.length === 0) return "all of it";
  const of = (kind: SenderReason["kind"]) => g.reasons.filter((r) => r.kind === kind).map((r) => r.what);
  const why: string[] = [];
  if (of("metric").length > 0) why.push(`${of("metric").join(", ")} refused`);
  if (of("tag").length > 0) why.push(`another ${of("tag").join(" or ")}, or none`);
  for (const r of g.reasons) {
    const place = places[r.kind];
    if (place) why.push(g.count === 1 ? `${place}: ${r.what}` : place);
  }
  const part = g.refused > 0 && g.refused < g.values ? `, ${number(g.refused)} of it` : "";
  const unknown = of("unknown_network").length > 0 ? ["address not known"] : [];
  return [...(why.length > 0 ? [why.join("; ") + part] : []), ...unknown].join("; ");
}

/** What could not be told. */
export function leftOut(p: TokenPreview): string | undefined {
  if (!p.complete) return `There is more than is checked at once: these are ${count(p.streams, "stream")} of it.`;
  return p.more > 0 ? `And ${count(p.more, "more group of senders", "more groups of senders")}.` : undefined;
}

/** "14 metrics match now; new ones that match are allowed too." */
export const matchNow = (n: number): string =>
  `${n === 0 ? "No metric matches" : count(n, "metric matches", "metrics match")} now; new ones that match are allowed too.`;
