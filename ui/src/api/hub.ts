import type { StreamEnded, StreamSaid } from "./ui.gen";

/**
 * A stream that a page listens to. With own it is the page's alone, as where
 * the server counts who listens; those that pages share say how things are.
 */
export type Wanted = { id: number; path: string; own: boolean };
/** An event of a stream, by the page's number of it. */
export type Said = { id: number; event: string; data: string };

type Page = { wanted: Wanted[]; say: (said: Said) => void };
type Source = Pick<EventSource, "close"> & Pick<EventTarget, "addEventListener">;

/** How many streams the server puts on a connection. */
const most = 64;
/** Pages come and go in groups of requests: one reconnect is for all of them. */
const settle = 50;
const longest = 60_000;

/** What the server would say again, to the same question. */
const isFinal = (status: number) => status >= 400 && status < 500 && ![401, 408, 429].includes(status);

/**
 * All the streams of a browser's pages on one connection, as browsers have six
 * for a host, whatever the number of tabs. What pages share is asked for once.
 */
export class Hub<Who> {
  private pages = new Map<Who, Page>();
  private names = new Map<Who, number>();
  private count = 0;
  private source: Source | undefined;
  private at = "";
  /** The streams of the connection, in its order. */
  private open: string[] = [];
  private refused = new Set<string>();
  /** What was said last on streams that pages share, for those that come later. */
  private last = new Map<string, Map<string, string>>();
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private connect: (url: string) => Source = (url) => new EventSource(url)) {}

  /** Says what a page listens to from now on, and where the server is. */
  set(who: Who, at: string, wanted: Wanted[], say: (said: Said) => void): void {
    this.at = at;
    const before = this.pages.get(who);
    this.pages.set(who, { wanted, say });
    if (!this.names.has(who)) this.names.set(who, this.count++);
    for (const w of wanted) {
      if (before?.wanted.some((b) => b.id === w.id)) continue;
      for (const [event, data] of this.last.get(this.key(who, w)) ?? []) say({ id: w.id, event, data });
    }
    this.adjust();
  }

  remove(who: Who): void {
    this.pages.delete(who);
    this.names.delete(who);
    this.adjust();
  }

  /** Tries at once what would be tried later: somebody looks, has signed in, or has reached the server. */
  wake(): void {
    this.refused.clear();
    if (this.source) this.adjust();
    else this.later(settle);
  }

  private key = (who: Who, { id, path, own }: Wanted) => (own ? `${this.names.get(who)} ${id} ${path}` : path);

  private keys(): string[] {
    const all = [...this.pages].flatMap(([who, { wanted }]) => wanted.map((w) => this.key(who, w)));
    return [...new Set(all)].filter((k) => !this.refused.has(k)).slice(0, most);
  }

  /** Connects anew if pages want other streams than those that are open. Who wants none may be frozen in a moment. */
  private adjust(): void {
    const now = this.keys();
    if (now.length === 0) this.begin();
    else if (now.length !== this.open.length || now.some((k) => !this.open.includes(k))) this.later(settle);
  }

  private later(wait: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.begin(), wait);
  }

  private begin(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = undefined;
    this.open = this.keys();
    for (const key of this.last.keys()) if (!this.open.includes(key)) this.last.delete(key);
    if (this.open.length === 0) return;
    const of = new URLSearchParams(this.open.map((k) => ["of", k.slice(k.lastIndexOf(" ") + 1)]));
    const source = this.connect(`${this.at}?${of}`);
    this.source = source;
    const on = <T>(name: string, hear: (data: T) => void) =>
      source.addEventListener(name, (e) => hear(JSON.parse((e as MessageEvent<string>).data) as T));
    on<StreamSaid>("said", (said) => this.hear(said));
    on<StreamEnded>("ended", (ended) => this.ended(ended));
    // The browser would try again by itself, but not after every failure, and never more slowly.
    source.addEventListener("error", () => this.lost());
  }

  private hear({ stream, event, data }: StreamSaid): void {
    this.failures = 0;
    const key = this.open[stream] ?? "";
    const last = this.last.get(key) ?? new Map<string, string>();
    // A new connection says how things are, which is news only if they have changed.
    if (last.get(event) === data) return;
    for (const [who, { wanted, say }] of this.pages) {
      for (const w of wanted) {
        if (this.key(who, w) !== key) continue;
        if (!w.own) this.last.set(key, last.set(event, data));
        say({ id: w.id, event, data });
      }
    }
  }

  private ended({ stream, status }: StreamEnded): void {
    if (isFinal(status)) this.refused.add(this.open[stream] ?? "");
    else this.lost();
  }

  /** Tries again, more and more slowly; what was said may be over by then. */
  private lost(): void {
    this.source?.close();
    this.source = undefined;
    this.last.clear();
    this.later(Math.min(longest, 1000 * 2 ** this.failures++) * (0.5 + Math.random() / 2));
  }
}
