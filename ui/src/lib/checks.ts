/** What checks are called and how they are. */
export const kinds = [
  { value: "heartbeat", label: "Heartbeat", hint: "", asks: "" },
  { value: "http", label: "Web", hint: "https://shop.example.org/", asks: "The page that is asked for." },
  { value: "tcp", label: "Port", hint: "db.example.org:5432", asks: "A host and the port that must accept." },
  { value: "tls", label: "Certificate", hint: "shop.example.org:443", asks: "Where the certificate is shown." },
  { value: "dns", label: "DNS", hint: "example.org", asks: "The name that must have an address." },
];

type Shown = {
  kind: string;
  active: boolean;
  ran_at: number;
  up: boolean;
  duration: number;
  slow: number;
  maintenance?: { name: string; until: number } | null;
};
type Placed = {
  every: number;
  created_at: number;
  active: boolean;
  places: string[];
  results: { place: string; ran_at: number }[];
};

/** After how many seconds without a result a place counts as silent, as its alert has it. */
export const silentAfter = (every: number) => Math.max(2 * every + 60, 180);

/** The agents that were to run a check and told nothing of late. */
export function silentPlaces(c: Placed, now: number): string[] {
  if (!c.active) return [];
  const since = now - silentAfter(c.every);
  const old = c.results.filter((r) => r.place !== "server" && r.ran_at < since).map((r) => r.place);
  const told = new Set(c.results.map((r) => r.place.toLowerCase()));
  const never = c.places
    .filter((p) => p.startsWith("agent:") && c.created_at < since)
    .map((p) => p.slice("agent:".length))
    .filter((name) => !told.has(name.toLowerCase()));
  return [...old, ...never];
}

/** Whether an answer took longer than it should; how long a job takes, or a certificate, says nothing. */
const isSlow = (c: Shown) =>
  c.slow > 0 && c.duration > c.slow && c.ran_at > 0 && c.kind !== "heartbeat" && c.kind !== "tls";

/** The state of a check in a word. */
export function stateOf(c: Shown & Placed, now: number) {
  if (!c.active) return "Paused";
  if (c.maintenance) return "Maintenance";
  if (c.kind === "heartbeat") return c.up ? "Up" : c.ran_at === 0 ? "Waiting" : "Missed";
  const down = c.ran_at > 0 && !c.up;
  if (down) return c.kind === "tls" ? "Soon" : "Down";
  if (silentPlaces(c, now).length > 0) return "Silent";
  if (isSlow(c)) return "Slow";
  return c.ran_at === 0 ? "Waiting" : "Up";
}

/** Whether somebody should look. */
export const isUnwell = (state: string) => !["Up", "Waiting", "Paused", "Maintenance"].includes(state);

/** A place as people say it: of "agent:web-01" the name, of "tag:role=web" the tag. */
export const placeWord = (place: string) =>
  place === "server" ? "the server" : place.replace(/^agent:/, "").replace(/^tag:/, "agents with ");

/** The groups of the list, by kind. */
export const groups = [
  { value: "", label: "All", kinds: kinds.map((k) => k.value) },
  { value: "heartbeat", label: "Heartbeats", kinds: ["heartbeat"] },
  { value: "http", label: "Web", kinds: ["http"] },
  { value: "tls", label: "Certificates", kinds: ["tls"] },
  { value: "ports", label: "Ports and names", kinds: ["tcp", "dns"] },
];

export type Piece = { from: number; to: number; state: "up" | "slow" | "down" };

type Values = (number | null | undefined)[];

/** Neighbours that are alike, as shares of the whole; where nothing is known there is no piece. */
export function pieces(values: Values, answers: Values = [], slow = 0): Piece[] {
  const out: Piece[] = [];
  const n = values.length;
  for (const [i, v] of values.entries()) {
    if (v == null) continue;
    const state = v < 1 ? "down" : slow > 0 && (answers[i] ?? 0) > slow ? "slow" : "up";
    const last = out.at(-1);
    if (last && last.state === state && last.to === i / n) last.to = (i + 1) / n;
    else out.push({ from: i / n, to: (i + 1) / n, state });
  }
  return out;
}

/** The port of the certificate of a web address: host:port, or nothing for plain HTTP. */
export function certificateOf(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url?.protocol === "https:" ? `${url.hostname}:${url.port || 443}` : undefined;
}

/** How to call a heartbeat from a job. */
export const heartbeatCommand = (url: string) => `curl -fsS -m 10 --retry 3 ${url}`;
