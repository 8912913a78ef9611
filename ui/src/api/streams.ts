import { withPrefix } from "../lib/prefix";
import type { Said, Wanted } from "./hub";

/** What a page tells who holds the connection: all it listens to, none when it goes. */
export type FromPage = { at: string; wanted: Wanted[]; wake: boolean };

type Hear = (event: string, data: string) => void;

const handlers = new Map<number, Hear>();
let wanted: Wanted[] = [];
let next = 1;
/** The page was left. It becomes hidden after that, and wants nothing then either. */
let left = false;
let send: ((message: FromPage) => void) | undefined;

/** A page that is hidden for long says from time to time that it is still there. */
const beat = 30_000;

const hear = ({ id, event, data }: Said) => handlers.get(id)?.(event, data);

function tell(wake = false): void {
  send?.({ at: withPrefix("/ui/api/streams"), wanted: left ? [] : wanted, wake });
}

/** The connection in a worker, which all pages of the browser share. */
function inWorker(): void {
  const worker = new SharedWorker(new URL("./streams.worker.ts", import.meta.url), { type: "module" });
  worker.onerror = inPage; // it did not load
  worker.port.onmessage = ({ data }: MessageEvent<Said>) => hear(data);
  send = (message) => worker.port.postMessage(message);
}

/**
 * Without such workers, as in some browsers of phones, each page has a
 * connection while it is looked at: hidden ones would keep those that are not
 * from the server.
 */
function inPage(): void {
  const hub = import("./hub").then(({ Hub }) => new Hub<"page">());
  send = ({ at, wanted: all, wake }) =>
    void hub.then((h) => {
      h.set("page", at, document.hidden ? [] : all, hear);
      if (wake) h.wake();
    });
  tell();
}

function begin(): void {
  try {
    inWorker();
  } catch {
    inPage(); // there are none, or not for this page
  }
  addEventListener("pagehide", () => {
    left = true;
    tell();
  });
  addEventListener("pageshow", (e) => {
    left = false;
    if (e.persisted) tell(true);
  });
  document.addEventListener("visibilitychange", () => tell(!document.hidden));
  setInterval(tell, beat);
}

/** Listens to a stream of the server, by its path without the prefix. Returns what stops it. */
export function subscribe(path: string, own: boolean, on: Hear): () => void {
  if (!send) begin();
  const id = next++;
  handlers.set(id, on);
  wanted = [...wanted, { id, path, own }];
  tell(true);
  return () => {
    handlers.delete(id);
    wanted = wanted.filter((w) => w.id !== id);
    tell();
  };
}

/** The server answers again, or somebody has signed in: what waits need not wait longer. */
export const wakeStreams = (): void => tell(true);
