/** What checks are called and how they are. */
export const kinds = [
  { value: "heartbeat", label: "Heartbeat", hint: "" },
  { value: "http", label: "Web", hint: "https://shop.example.org/" },
  { value: "tcp", label: "Port", hint: "db.example.org:5432" },
  { value: "tls", label: "Certificate", hint: "shop.example.org:443" },
  { value: "dns", label: "DNS", hint: "example.org" },
];

type Shown = { kind: string; active: boolean; ran_at: number; up: boolean };

/** The state of a check in a word. */
export function stateOf(c: Shown): "Paused" | "Waiting" | "Up" | "Missed" | "Soon" | "Down" {
  if (!c.active) return "Paused";
  if (c.up) return "Up";
  if (c.kind === "heartbeat") return c.ran_at === 0 ? "Waiting" : "Missed";
  if (c.ran_at === 0) return "Waiting";
  return c.kind === "tls" ? "Soon" : "Down";
}

/** How to call a heartbeat from a job. */
export const heartbeatCommand = (url: string) => `curl -fsS -m 10 --retry 3 ${url}`;
