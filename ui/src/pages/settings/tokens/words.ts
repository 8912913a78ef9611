import type { TokenRole } from "../../../api/tokens";
import type { SenderView, TokenSummary, UseView } from "../../../api/ui.gen";
import { count, day } from "../../../lib/format";
import { roleText } from "../../../lib/roles";
import { agentName } from "../../../lib/tokenHints";

/** "It read spaces 312 times in the last 30 days; Record Only refuses that." */
export function wouldRefuse(uses: UseView[], role: TokenRole): string | undefined {
  const refused = uses.filter((u) => u.refused_by.includes(role));
  if (refused.length === 0) return undefined;
  const did = refused.map((u) => `${u.verb} ${u.noun} ${count(u.requests, "time")}`);
  const all = did.length > 1 ? `${did.slice(0, -1).join(", ")} and ${did.at(-1)}` : did[0];
  return `It ${all} in the last 30 days; ${roleText(role).title} refuses that.`;
}

/** Who made a token, as people know each other: "user:ann@example.org" is ann@example.org. */
export function maker(createdBy: string): string | undefined {
  const [kind, ...rest] = createdBy.split(":");
  const name = rest.join(":");
  if (kind === "user") return name;
  if (kind === "token") return `token ${name}`;
  return kind === "cli" ? "the command line" : undefined;
}

/** "3 Feb 2026 by owner@example.org" */
export function madeWhen(t: Pick<TokenSummary, "created_at" | "created_by">): string {
  const by = maker(t.created_by);
  return by ? `${day(t.created_at)} by ${by}` : day(t.created_at);
}

/** Programs by what they call themselves, with all places they send from. */
export type Group = {
  agent: string;
  senders: string[];
  days: number[];
  last: number;
  sends: string[];
  old: number;
};

export function byAgent(senders: SenderView[]): Group[] {
  const groups = new Map<string, Group>();
  for (const s of senders) {
    let g = groups.get(s.user_agent);
    if (!g) {
      g = { agent: s.user_agent, senders: [], days: s.days.map(() => 0), last: 0, sends: [], old: 0 };
      groups.set(s.user_agent, g);
    }
    g.senders.push(s.sender);
    g.days = g.days.map((n, i) => n + (s.days[i] ?? 0));
    g.last = Math.max(g.last, s.last_at);
    g.sends = [...new Set([...g.sends, ...(s.sends ?? [])])];
    if (s.old) g.old++;
  }
  return [...groups.values()].sort((a, b) => b.last - a.last);
}

/** Names that say nothing about who sends. */
const generic =
  /^(Go-http-client|python-requests|python-urllib|Python|okhttp|axios|node|node-fetch|Java|Ruby|libwww|)$/i;

/** Hosts that only differ in a number, as one: "web-01 … web-09"; those with most hosts first. */
export function runs(names: string[]): string[] {
  const families = new Map<string, string[]>();
  for (const name of [...names].sort((a, b) => a.localeCompare(b, "en", { numeric: true }))) {
    const family = /^\d+(\.\d+){3}$/.test(name) ? name : name.replace(/\d+$/, "");
    families.set(family, [...(families.get(family) ?? []), name]);
  }
  return [...families.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((f) => (f.length > 2 ? [`${f[0]} … ${f.at(-1)}`] : f));
}

/** "14 hosts: web-01 … web-09, db-01, …", and of programs without a name of their own what they send. */
export function whereFrom(g: Group): string {
  const few = runs(g.senders);
  const names = few.length > 3 ? `${few.slice(0, 3).join(", ")}, …` : few.join(", ");
  const from = g.senders.length > 1 ? `${count(g.senders.length, "host")}: ${names}` : names;
  if (!generic.test(agentName(g.agent)) || g.sends.length === 0) return from;
  return `${from} · sends ${g.sends.slice(0, 3).join(", ")}`;
}

/** "2026-02-03 08:00:00 UTC", as only tokens have it, in seconds. */
export const tokenTime = (text: string): number => Date.parse(`${text.replace(" UTC", "Z").replace(" ", "T")}`) / 1000;

export type TokenSort = "name" | "role" | "status" | "used" | "created";
const order: Record<TokenSort, (a: TokenSummary, b: TokenSummary) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  role: (a, b) => roleText(a.role).title.localeCompare(roleText(b.role).title),
  status: (a, b) => Number(b.active) - Number(a.active),
  used: (a, b) => b.last_used_at - a.last_used_at,
  created: (a, b) => a.created_at - b.created_at || a.id - b.id,
};
const sortWords: Record<TokenSort, string> = {
  name: "name",
  role: "role",
  status: "status",
  used: "last used",
  created: "created",
};

const isSort = (s: string): s is TokenSort => s in order;

/** A sort as the address has it: "-used" is the longest unused first. */
export function sorted(list: TokenSummary[], sort: string): TokenSummary[] {
  const by = sort.replace(/^-/, "");
  const way = sort.startsWith("-") ? -1 : 1;
  const cmp = order[isSort(by) ? by : "created"];
  return [...list].sort((a, b) => way * cmp(a, b));
}

export function sortedBy(sort: string): string {
  const by = sort.replace(/^-/, "");
  return `Sorted by ${sortWords[isSort(by) ? by : "created"]}${sort.startsWith("-") ? ", reversed" : ""}`;
}

/** A value found in a log is found here by its end. */
export const matches = (t: TokenSummary, q: string): boolean => {
  const wanted = q.trim().toLowerCase().replace(/^…/, "");
  return [t.name, t.last4, ...t.agents].some((s) => s.toLowerCase().includes(wanted)) || endsWith(wanted, t.last4);
};
const endsWith = (q: string, last4: string) => q.length > 8 && last4 !== "" && q.endsWith(last4.toLowerCase());

/** When a token ends, in seconds: after some days, or at the end of a day where you are. */
export function endOf(choice: string, date: string, now = Date.now()): number | undefined {
  if (choice === "") return undefined;
  if (choice !== "date") return Math.floor(now / 1000) + Number(choice) * 86_400;
  return date ? Math.floor(new Date(`${date}T23:59:59`).getTime() / 1000) : undefined;
}

/** A day as date fields have it, where you are. */
export const dayField = (at: Date): string =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((n) => String(n).padStart(2, "0")).join("-");

/** What is wrong with the last day of a new token. */
export function dateProblem(date: string, now = new Date()): string | undefined {
  if (!date) return "The last day is missing.";
  return date < dayField(now) ? "The last day is over." : undefined;
}

/** How often a token was used on each day. Today is not over, and would always look like a fall. */
export const wholeDays = (days: number[]): number[] => {
  const past = days.slice(0, -1);
  return past.some((n) => n > 0) ? past : days;
};
