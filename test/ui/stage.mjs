// Where journeys take place: one browser for all of a process, but for those
// that need another, and the server of the journeys at hand, which no others
// share; a journey opens a window of its own.
import { after, before } from "node:test";
import { launch } from "./server.mjs";
import { startShop } from "./shop.mjs";

export let browser;
export let server;

const browsers = new Map(); // by what launched them

after(() => Promise.all([...browsers.values()].map((b) => b.close())));

/**
 * Journeys on a server of their own: called in a describe, it is there before
 * the first of them and gone after the last.
 */
export function onServer(start = startShop, open = launch) {
  let own;
  before(async () => {
    if (!browsers.has(open)) browsers.set(open, await open());
    browser = browsers.get(open);
    own = await start();
    server = own;
  });
  after(() => own?.stop());
}
