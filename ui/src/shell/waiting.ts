import { alerts } from "../api/alerts";
import { ApiError, ask, connection } from "../api/client";
import { person } from "../lib/alertWords";
import { keptFor } from "../lib/org";
import { toast } from "../toasts/toast";

/** An acknowledgement that could not be sent: by whom, and of the incident that began then. */
export type Waiting = { org: string; by: string; id: number; name: string; since: number; text: string };

const key = "waiting acknowledgements";
const watchers = new Set<() => void>();

function read(): Waiting[] {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "[]") as Waiting[];
  } catch {
    return []; // nobody waits for what cannot be read
  }
}

let all = read();

function keep(next: Waiting[]): void {
  all = next;
  if (all.length > 0) localStorage.setItem(key, JSON.stringify(all));
  else localStorage.removeItem(key);
  for (const listener of watchers) listener();
}

const isSame = (a: Waiting, b: Waiting) => a.org === b.org && a.id === b.id;

/** Acknowledgements made without a connection. They stay on this device until they are sent. */
export const waiting = {
  watch(listener: () => void): () => void {
    watchers.add(listener);
    return () => watchers.delete(listener);
  },
  has: (id: number): boolean => all.some((w) => w.org === keptFor() && w.id === id),
  add: (w: Omit<Waiting, "org">): void => {
    const mine = { ...w, org: keptFor() };
    keep([...all.filter((o) => !isSame(o, mine)), mine]);
  },
};

/** Sends one, if it is still about the same incident and nobody was faster. */
async function send({ id, name, by, since, text }: Waiting): Promise<void> {
  if ((await ask("GET /ui/api/session")).user.email !== by) return;
  const now = await ask("GET /ui/api/alerts/{id}", { at: { id } });
  if (now.state !== "firing" || now.since !== since) return void toast(`${name} does not fire any more.`);
  if (now.acknowledged_at) return void toast(`${person(now.acknowledged_by ?? "")} was faster: ${name}.`);
  await alerts.acknowledge({ id, text });
  toast(`${name} is acknowledged.`);
}

let isSending = false;

async function flush(): Promise<void> {
  if (isSending) return;
  isSending = true;
  for (const w of all.filter((o) => o.org === keptFor())) {
    try {
      await send(w);
    } catch (err) {
      if (err instanceof ApiError && err.status === 0) break; // still no connection
      toast((err as Error).message, { tone: "error" });
    }
    keep(all.filter((o) => !isSame(o, w)));
  }
  isSending = false;
}

connection.watch(() => {
  if (!connection.lostSince()) void flush();
});
window.addEventListener("online", () => void flush());
void flush();
