// @vitest-environment jsdom
import { afterEach, expect, test, vi } from "vitest";
import type { FromPage } from "./streams";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  vi.resetModules();
});

test("a page tells the worker all it listens to, hears of that, and leaves", async () => {
  const told: FromPage[] = [];
  let says: (id: number, data: string) => void = () => undefined;
  vi.useFakeTimers(); // for what it repeats
  vi.stubGlobal(
    "SharedWorker",
    class {
      port = { postMessage: (m: FromPage) => told.push(m), onmessage: (_: { data: unknown }) => undefined };
      constructor() {
        says = (id, data) => this.port.onmessage({ data: { id, event: "firing", data } });
      }
    },
  );
  vi.resetModules(); // another file may have begun to listen
  const { listen } = await import("./client");
  const { showOrg } = await import("../lib/org");
  showOrg("7");
  const heard: unknown[] = [];
  const stop = listen("/ui/api/watch", { firing: (now: unknown) => heard.push(now) });
  listen("/ui/api/tokens/{id}/watch", { request: (now: unknown) => heard.push(now) }, 3);
  says(1, '{"count":2}');
  says(2, '"an event that nobody wants"');
  stop();
  says(1, '{"count":3}');
  dispatchEvent(new Event("pagehide"));
  document.dispatchEvent(new Event("visibilitychange")); // comes after it
  dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));

  const common = { id: 1, path: "/o/7/ui/api/watch", own: false };
  const own = { id: 2, path: "/o/7/ui/api/tokens/3/watch", own: true };
  expect(told.map((m) => m.wanted)).toEqual([[common], [common, own], [own], [], [], [own]]);
  expect(heard).toEqual([{ count: 2 }]);
});
