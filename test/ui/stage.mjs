// Where the journeys of a file take place: one browser for all of them, and the
// server of the journeys at hand. A file has a process of its own, so nothing
// is shared between files; a journey opens a window of its own.
import { after, before } from "node:test";
import { launch } from "./server.mjs";
import { startShop } from "./shop.mjs";

export let browser;
export let server;

after(() => browser?.close());

/**
 * Journeys on a server of their own: called in a describe, it is there before
 * the first of them and gone after the last.
 */
export function onServer(start = startShop, open = launch) {
  let own;
  before(async () => {
    browser ??= await open();
    own = await start();
    server = own;
  });
  after(() => own?.stop());
}
