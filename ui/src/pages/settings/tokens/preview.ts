import type { SenderGroup, SenderReason, TokenPreview } from "../../../api/ui.gen";
import { count, number } from "../../../lib/format";
import { roleText } from "../../../lib/roles";
import { runs } from "./words";

/** "web-01 … web-07", and what has no name: "others without a host". */
export function whoSends(g: SenderGroup): string {
  const named = runs(g.names.filter(Boolean));
  const shown = named.slice(0, 2);
  if (g.names.includes("")) shown.push(named.length > 0 ? "some without a host" : "Without a host");
  const hidden = named.length > 2 || g.count > g.names.length;
  return shown.join(", ") + (hidden ? ", …" : "");
}

const reasonWords: Record<SenderReason["kind"], (r: SenderReason, g: SenderGroup) => string> = {
  metric: (r) => `${r.what} refused`,
  tag: (r) => `another ${r.what}, or none`,
  network: (r, g) => (g.count === 1 ? `other network: ${r.what}` : "other network"),
  some_network: (r, g) => (g.count === 1 ? `also from another network: ${r.what}` : "also from another network"),
  unknown_network: () => "it is not known from where",
  role: () => `${roleText("viewer").title} cannot send`,
};

/** What would happen to senders: "queue.* refused, 3,000 of it". */
export function fate(g: SenderGroup): string {
  if (g.reasons.length === 0) return "all of it";
  const why = g.reasons.map((r) => reasonWords[r.kind](r, g)).join(", ");
  return g.refused > 0 && g.refused < g.values ? `${why}, ${number(g.refused)} of it` : why;
}

/** What could not be told. */
export function leftOut(p: TokenPreview): string | undefined {
  if (!p.complete) return `There is more than is checked at once: these are ${count(p.streams, "stream")} of it.`;
  return p.more > 0 ? `And ${count(p.more, "more group of senders", "more groups of senders")}.` : undefined;
}

/** "14 metrics match now; new ones that match are allowed too." */
export const matchNow = (n: number): string =>
  `${n === 0 ? "No metric matches" : count(n, "metric matches", "metrics match")} now; new ones that match are allowed too.`;
