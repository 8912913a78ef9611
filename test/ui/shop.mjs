// What the journeys of the working pages share: an organization with a little
// data, and waiting for a page to come to rest.
import assert from "node:assert/strict";
import { inFirefox, newContext, openWindow, setUp, signIn, startServer, v1 } from "./server.mjs";

export const now = () => Math.floor(Date.now() / 1000);

/** A server with an owner and an hour of three metrics on two hosts. */
export async function startShop(...given) {
  const server = await startServer(...given);
  await setUp(server);
  await record(server);
  return server;
}

/** Some minutes of three metrics on two hosts. */
export async function record(server, minutes = 60) {
  const measurements = [];
  for (let i = minutes; i >= 0; i--) {
    for (const host of ["web-01", "web-02"]) {
      const time = now() - i * 60;
      measurements.push({ name: "shop.requests", value: 100 + i, time, tags: { host } });
      measurements.push({ name: "shop.errors", value: 2, time, tags: { host } });
      measurements.push({ name: "shop.latency", value: 40 + (i % 7), time, tags: { host } });
    }
  }
  const { status } = await v1(server, "POST", "/measurements", { measurements });
  assert.equal(status, 202);
  await v1(server, "PUT", "/metrics/shop.latency", { attributes: { display_units_short: "ms" } });
}

// Who has closed their window, by server and options: a context and the cookies
// of its session.
const away = new Map();

/**
 * A window in which the owner is signed in. Closing the page leaves its context
 * to the next visit, which finds the session and the cache in it and nothing
 * else: that is half the work of a new one. A journey that changes more of the
 * context closes the context.
 */
export async function visit(browser, server, options) {
  const key = JSON.stringify([server.base, options]);
  if (!away.has(key)) away.set(key, []);
  const waiting = away.get(key);
  const visitor = waiting.pop() ?? { context: await newContext(browser, server, options) };
  if (visitor.gone) return visit(browser, server, options);
  const { context } = visitor;
  const made = await openWindow(context, server);
  if (visitor.cookies) await startOver(made, server, visitor.cookies);
  else context.once("close", () => (visitor.gone = true));
  if (!(await context.request.get("/ui/api/session")).ok()) await signIn(context);
  visitor.cookies = await context.cookies();
  if (!inFirefox) made.page.once("close", () => context.pages().length === 0 && waiting.push(visitor));
  return made;
}

/** Empties what is stored, and leaves the cookies of the session only. */
async function startOver({ context, page }, server, cookies) {
  const wire = await context.newCDPSession(page);
  await wire.send("Storage.clearDataForOrigin", { origin: server.base, storageTypes: "local_storage,indexeddb,cache_storage,service_workers" });
  await wire.detach();
  await context.clearCookies();
  await context.addCookies(cookies);
}

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A space with charts of its own: its id. */
export async function newSpace(server, name, ...charts) {
  const { id } = (await v1(server, "POST", "/spaces", { name })).body;
  for (const c of charts) {
    const { status } = await v1(server, "POST", `/spaces/${id}/charts`, { type: "line", streams: [{ metric: "shop.latency" }], ...c });
    assert.equal(status, 201);
  }
  return id;
}

let rests = 0;

/** Waits until nothing on the page stands in for something that is still to come. */
export async function settled(page) {
  await page.waitForFunction((rest) => {
    // What is out of sight is not asked for yet.
    const inSight = (e) => e.getBoundingClientRect().top < innerHeight && e.getBoundingClientRect().bottom > 0;
    // A button that waits may wait for whoever looks: to sign in again.
    const coming = [...document.querySelectorAll('[class*="skeleton"], [data-coming], [aria-busy="true"]:not(button)')].filter(inSight);
    // A dialog has its title a moment after itself.
    const unnamed = document.querySelector('[role="dialog"]:not([aria-label], [aria-labelledby])');
    const here = document.querySelector("h1, h2, main") && document.readyState === "complete" && document.fonts.status === "loaded";
    // It may have rested before something was opened: every wait counts anew.
    if (globalThis.rested?.rest !== rest) globalThis.rested = { rest, frames: 0 };
    globalThis.rested.frames = here && coming.length === 0 && !unnamed ? globalThis.rested.frames + 1 : 0;
    return globalThis.rested.frames > 10; // what comes in answer to another has begun by then
  }, ++rests);
}
