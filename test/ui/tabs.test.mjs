// Many tabs of one browser: they share a connection for what the server says by
// itself, as browsers have six for a host. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { newContext, openWindow, signIn, until, v1 } from "./server.mjs";
import { newSpace, settled, startShop } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const gate = (name, value) => v1(server, "POST", "/measurements", { measurements: [{ name, value, tags: { host: "a" } }] });

/** An alert on a metric of its own that does not fire yet. */
async function newAlert(name) {
  await gate(name, 1);
  const { status, body } = await v1(server, "POST", "/alerts", { name, conditions: [{ type: "above", metric_name: name, threshold: 5 }] });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

/** Has an alert fire, until pages say so. */
const fires = (name, seen) => until(async () => (await gate(name, 9)) && seen(), () => `${name} is not seen to fire`, 60_000);

/** How many alerts fire, as the sidebar has it. */
const firing = async (page) => Number.parseInt((await page.getByRole("link", { name: /^Alerts \d+ firing/ }).textContent({ timeout: 100 }).catch(() => "Alerts0")).replace(/\D+/, ""), 10);

/** A tab of its own, as many as are wanted, with the problems of all. */
async function openTabs(context, addresses) {
  const tabs = [];
  const problems = [];
  for (const address of addresses) {
    const tab = await openWindow(context, server);
    await tab.page.goto(address);
    await tab.page.locator("h1").first().waitFor();
    tabs.push(tab.page);
    problems.push(tab.problems);
  }
  return { tabs, problems };
}

describe("many tabs of one browser", () => {
  onServer(() => startShop());

  test("ten tabs hear of an alert, and each goes on working", async () => {
    const space = await newSpace(server, "Ten tabs", { name: "Latency" });
    const chart = (await v1(server, "GET", `/spaces/${space}/charts`)).body[0].id;
    const alert = await newAlert("tabs.gate");
    const context = await newContext(browser, server);
    await signIn(context);
    const editor = `/o/1/spaces/${space}/charts/${chart}/edit`;
    const { tabs, problems } = await openTabs(context, [
      "/o/1/explore", "/o/1/alerts", `/o/1/spaces/${space}`, editor, editor,
      "/o/1/metrics", "/o/1/settings/tokens", "/o/1/annotations", "/o/1/spaces", `/o/1/alerts/${alert}`,
    ]);
    // Each editor is heard of for itself, though they share a connection.
    for (const tab of tabs.slice(3, 5)) await tab.getByText("You are editing this in another tab too.").waitFor();
    await fires("tabs.gate", async () => (await Promise.all(tabs.filter((_, i) => i !== 3 && i !== 4).map(firing))).every((n) => n === 1));
    await tabs[9].getByRole("button", { name: "Acknowledge", exact: true }).first().click();
    await tabs[9].getByText(/owner@example\.org acknowledged/).first().waitFor();
    await until(async () => (await firing(tabs[0])) === 0, () => "another tab does not hear that it is acknowledged");
    for (const tab of [tabs[0], ...tabs.slice(5)]) {
      await tab.getByRole("link", { name: "Spaces", exact: true }).first().click();
      await tab.getByRole("link", { name: "Ten tabs" }).first().click();
      await tab.getByRole("article", { name: "Latency" }).first().waitFor();
      await settled(tab);
    }
    // Who goes is forgotten: the other editor is alone then.
    await tabs[3].goto("about:blank"); // a browser that closes a tab may end it before its last word is out
    await tabs[4].getByText("You are editing this in another tab too.").waitFor({ state: "detached" });
    // One that stays hears on.
    await newAlert("tabs.second");
    await fires("tabs.second", async () => (await firing(tabs[9])) === 1);
    assert.deepEqual(problems.flat(), []);
    await context.close();
  });

  test("where tabs cannot share, those that are hidden have no connection, and catch up when shown", async () => {
    const context = await newContext(browser, server);
    await signIn(context);
    await context.addInitScript(() => {
      delete window.SharedWorker;
      let hidden = false;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      window.hide = (now) => {
        hidden = now;
        document.dispatchEvent(new Event("visibilitychange"));
      };
      window.streams = new Set();
      window.EventSource = class extends EventSource {
        constructor(...given) {
          super(...given);
          window.streams.add(this);
        }
        close() {
          super.close();
          window.streams.delete(this);
        }
      };
    });
    const open = (page, n) => page.waitForFunction((wanted) => window.streams.size === wanted, n);
    const pages = [];
    for (let i = 0; i < 8; i++) {
      const { tabs } = await openTabs(context, ["/o/1/alerts"]);
      await open(tabs[0], 1);
      await tabs[0].evaluate(() => window.hide(true));
      await open(tabs[0], 0);
      pages.push(tabs[0]);
    }
    await newAlert("tabs.hidden");
    const [first] = pages;
    const before = await firing(first);
    const other = await openTabs(context, ["/o/1/spaces"]);
    await fires("tabs.hidden", async () => (await firing(other.tabs[0])) > before);
    assert.equal(await firing(first), before, "nothing is heard while it is hidden");
    await first.evaluate(() => window.hide(false));
    await open(first, 1);
    await first.getByRole("link", { name: `Alerts ${before + 1} firing` }).waitFor();
    await first.getByText("tabs.hidden").first().waitFor();
    await context.close();
  });
});
