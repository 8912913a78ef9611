import type { Found } from "../api/search";
import type { TokenSummary } from "../api/ui.gen";
import { ago, count, duration, value } from "../lib/format";
import { keptFor } from "../lib/org";
import { printPage } from "../lib/print";
import { roleText } from "../lib/roles";
import { alertPages } from "./navigation";

/** One line of the palette: what it is, what is known about it now, where it leads. */
export type Entry = {
  id: string;
  group: string;
  icon: "alert" | "firing" | "space" | "chart" | "metric" | "settings" | "do" | "token";
  text: string;
  mono?: boolean;
  fact?: string;
  tone?: "red";
  to: string;
  params?: Record<string, string>;
  search?: Record<string, string>;
  /** What it does, where it leads nowhere. */
  run?: () => void;
};

type Rights = { canEdit: boolean; canManage: boolean };

const settings = (r: Rights): [string, string][] => [
  ...(r.canManage ? ([["API Tokens", "/settings/tokens"]] as [string, string][]) : []),
  ["General", "/settings/general"],
  ["Members", "/settings/members"],
  ["Notification Services", "/settings/services"],
  ["Limits and usage", "/settings/usage"],
  ["Sessions", "/settings/sessions"],
  ...(r.canManage ? ([["Audit log", "/settings/audit"]] as [string, string][]) : []),
];

/** Pages that are no place of the sidebar. */
const pages = alertPages.filter((p) => p.to !== "/alerts");

/** What a text asks for: "> …" actions only, "# …" metrics only. */
export function modeOf(text: string): { mode: "all" | "do" | "metrics"; q: string } {
  if (text.startsWith(">")) return { mode: "do", q: text.slice(1).trim() };
  if (text.startsWith("#")) return { mode: "metrics", q: text.slice(1).trim() };
  return { mode: "all", q: text.trim() };
}

const has = (text: string, q: string) =>
  q
    .toLowerCase()
    .split(/\s+/)
    .every((w) => text.toLowerCase().includes(w));

/** Tokens that somebody may look after, by name. */
function open(q: string, tokens: TokenSummary[], now: number): Entry[] {
  const used = (t: TokenSummary) => (t.last_used_at ? `used ${ago(t.last_used_at, now)}` : "never used");
  return tokens
    .filter((t) => q.length > 1 && has(t.name, q))
    .slice(0, 3)
    .map((t) => ({
      id: `t${t.id}`,
      group: "Do",
      icon: "token",
      text: `Open API token ${t.name}`,
      fact: `${roleText(t.role).title}, ${used(t)}`,
      to: "/settings/tokens/$id",
      params: { id: String(t.id) },
    }));
}

export function entries(
  text: string,
  found: Found | undefined,
  rights: Rights,
  now = Date.now() / 1000,
  tokens: TokenSummary[] = [],
): Entry[] {
  const { mode, q } = modeOf(text);
  if (q === "" && mode === "all") return [];
  const metrics = (found?.metrics ?? []).map(
    (m): Entry => ({
      id: `m${m.name}`,
      group: "Metrics",
      icon: "metric",
      text: m.name,
      mono: true,
      fact: `${value(m.last_value, m.units)}, ${count(m.streams, "stream")}`,
      to: "/metrics",
      search: { name: m.name },
    }),
  );
  if (mode === "metrics") return metrics;
  const actions = [...act(q, found, rights), ...(rights.canManage ? open(q, tokens, now) : [])];
  if (mode === "do") return actions;
  const firstFiring = [...(found?.alerts ?? [])].sort(
    (a, b) => Number(b.state === "firing") - Number(a.state === "firing"),
  );
  return [
    ...firstFiring.map(
      (a): Entry => ({
        id: `a${a.id}`,
        group: "Alerts",
        icon: a.state === "firing" ? "firing" : "alert",
        text: a.name,
        fact:
          a.state === "firing"
            ? `Firing for ${duration(now - a.since)}`
            : a.state === "ok"
              ? "OK"
              : a.state === "snoozed"
                ? "Snoozed"
                : "Inactive",
        ...(a.state === "firing" && { tone: "red" as const }),
        to: "/alerts/$id",
        params: { id: String(a.id) },
      }),
    ),
    ...(found?.spaces ?? []).map(
      (s): Entry => ({
        id: `s${s.id}`,
        group: "Spaces",
        icon: "space",
        text: s.name,
        fact: `${count(s.charts, "chart")}${s.opened_at ? `, opened ${ago(s.opened_at, now)}` : ""}`,
        to: "/spaces/$id",
        params: { id: String(s.id) },
      }),
    ),
    ...metrics.slice(0, 6),
    // After metrics: a chart is also found by the metrics it shows.
    ...(found?.charts ?? []).map(
      (c): Entry => ({
        id: `c${c.id}`,
        group: "Charts",
        icon: "chart",
        text: c.name || "Untitled",
        fact: `in ${c.space_name}`,
        to: "/spaces/$id",
        params: { id: String(c.space) },
        search: { chart: String(c.id) },
      }),
    ),
    ...pages
      .filter((p) => has(p.label, q))
      .map((p): Entry => ({ id: p.to, group: "Pages", icon: "alert", text: p.label, to: p.to })),
    ...settings(rights)
      .filter(([name]) => has(name, q))
      .map(([name, to]): Entry => ({ id: to, group: "Settings", icon: "settings", text: name, to })),
    ...actions,
  ];
}

/** Things to do, as far as the role allows them. */
function act(q: string, found: Found | undefined, { canEdit, canManage }: Rights): Entry[] {
  const first = found?.metrics[0];
  const all: (Entry | false | undefined)[] = [
    canEdit &&
      first &&
      q !== "" && {
        id: "do-alert",
        group: "Do",
        icon: "do",
        text: `New alert on ${first.name}`,
        to: "/alerts/new",
        search: { metric: first.name },
      },
    canEdit && { id: "do-newalert", group: "Do", icon: "do", text: "New alert", to: "/alerts/new" },
    canEdit && {
      id: "do-composite",
      group: "Do",
      icon: "do",
      text: "New composite",
      to: "/explore",
      search: { view: "composite" },
    },
    canManage && {
      id: "do-token",
      group: "Do",
      icon: "do",
      text: "Generate New API Token",
      to: "/settings/tokens/new",
    },
    { id: "do-send", group: "Do", icon: "do", text: "Send data", to: "/send" },
    { id: "do-explore", group: "Do", icon: "do", text: "Explore", to: "/explore" },
    { id: "do-print", group: "Do", icon: "do", text: "Print this page", to: "", run: printPage },
  ];
  return all.filter((e): e is Entry => Boolean(e)).filter((e) => q === "" || e.id === "do-alert" || has(e.text, q));
}

const key = () => `tidemark.places.${keptFor()}`;
export type Seen = Pick<Entry, "text" | "to" | "params" | "search" | "icon" | "mono">;

/** The last five places one went to from here. */
export const places = {
  read(): Seen[] {
    try {
      return JSON.parse(localStorage.getItem(key()) ?? "[]") as Seen[];
    } catch {
      return [];
    }
  },
  add(e: Entry): void {
    const mine: Seen = {
      text: e.text,
      to: e.to,
      icon: e.icon === "firing" ? "alert" : e.icon,
      ...(e.params && { params: e.params }),
      ...(e.search && { search: e.search }),
      ...(e.mono && { mono: true }),
    };
    const rest = this.read().filter((p) => p.text !== mine.text);
    localStorage.setItem(key(), JSON.stringify([mine, ...rest].slice(0, 5)));
  },
};
