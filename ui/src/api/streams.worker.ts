import { Hub } from "./hub";
import type { FromPage } from "./streams";

/** Holds the connection of all pages of a browser. */
const hub = new Hub<MessagePort>();
const heardAt = new Map<MessagePort, number>();

/** Timers of hidden pages run once a minute. Who was frozen meanwhile says so again. */
const silent = 150_000;

const leave = (port: MessagePort) => {
  heardAt.delete(port);
  hub.remove(port);
};

self.addEventListener("connect", (e) => {
  const port = (e as MessageEvent).ports[0];
  if (!port) return;
  port.onmessage = ({ data }: MessageEvent<FromPage>) => {
    if (data.wanted.length === 0) return leave(port);
    heardAt.set(port, Date.now());
    hub.set(port, data.at, data.wanted, (said) => port.postMessage(said));
    if (data.wake) hub.wake();
  };
});

// A page that ends by a crash does not say so.
setInterval(() => {
  for (const [port, at] of heardAt) if (Date.now() - at > silent) leave(port);
}, 60_000);
