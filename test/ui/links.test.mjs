// Where people go on from a chart, and from each of its streams.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { newSpace, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const requests = { metric: "shop.requests", tags: [{ name: "host", grouped: true }], name: "requests" };
const links = [
  { title: "Host page", url: "https://example.org/{host}" },
  { title: "Team page", url: "https://example.org/team" },
];
const card = (page, name) => page.getByRole("article", { name, exact: true });
const linksOf = (page, chart, name) => card(page, chart).getByRole("button", { name: new RegExp(`^Links of .*${name}`) });

/** Where an action leads, in a window of its own; nobody asks the real host. */
async function leadsTo(context, act) {
  const [opened] = await Promise.all([context.waitForEvent("page"), act()]);
  await opened.waitForURL(/example\.org/);
  const url = opened.url();
  await opened.close();
  return url;
}

/** A visit in which example.org is a page of ours. */
async function visitWithHost(options) {
  const made = await visit(browser, server, options);
  await made.context.route("https://example.org/**", (r) => r.fulfill({ contentType: "text/html", body: "<title>host</title>" }));
  return made;
}

describe("links of charts", () => {
  onServer();

  test("each name of a legend leads on with its own tags, the chart's own link is in its menu", async () => {
    const kinds = { Lines: {}, Stack: { type: "stacked" }, Bars: { type: "stacked", attributes: { kind: "bar" } } };
    const charts = Object.entries(kinds).map(([name, k]) => ({ name, streams: [requests], ...k, attributes: { ...k.attributes, links } }));
    const id = await newSpace(server, "Leading on", ...charts, { name: "Plain", streams: [requests] });
    const { context, page, problems } = await visitWithHost();
    await page.goto(`/spaces/${id}?from=-1h`);
    for (const name of Object.keys(kinds)) {
      await linksOf(page, name, "web-02").click();
      assert.equal(await page.getByRole("menuitem").count(), 1, "what is about the chart is in the menu of the chart");
      assert.equal(await leadsTo(context, () => page.getByRole("menuitem", { name: "Host page" }).click()), "https://example.org/web-02");
    }
    // By keys: the links come after their name.
    await card(page, "Lines").locator("[data-legend]").filter({ hasText: "web-01" }).focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("menuitem", { name: "Host page" }).waitFor();
    assert.equal(await leadsTo(context, () => page.getByRole("menuitem", { name: "Host page" }).press("Enter")), "https://example.org/web-01");

    await card(page, "Lines").hover();
    await card(page, "Lines").getByRole("button", { name: "More", exact: true }).click();
    assert.equal(await page.getByRole("menuitem", { name: "Host page" }).count(), 0, "no host is known there");
    assert.equal(await leadsTo(context, () => page.getByRole("menuitem", { name: "Team page" }).click()), "https://example.org/team");

    await card(page, "Plain").locator("[data-legend]").first().waitFor();
    assert.equal(await card(page, "Plain").locator("[data-entry]").count(), 0);
    await settled(page);
    await accessible(page, "legends with links");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("rows of heatmaps, gauges and repeated charts lead on too", async () => {
    const id = await newSpace(
      server,
      "Other kinds",
      { name: "Heat", streams: [requests], attributes: { kind: "heatmap", links } },
      { name: "Dial", type: "bignumber", streams: [requests], max: 200, attributes: { kind: "gauge", links } },
      { name: "Each", streams: [requests], attributes: { repeat: "host", links } },
    );
    const { context, page, problems } = await visitWithHost();
    await page.goto(`/spaces/${id}?from=-1h`);
    const heat = card(page, "Heat");
    await heat.getByRole("img", { name: /Heat/ }).focus();
    await page.keyboard.press("ArrowDown");
    const said = await heat.getByRole("status").filter({ hasText: "press for its links" }).textContent();
    const [host] = /web-0\d/.exec(said);
    await page.keyboard.press("Enter");
    await heat.getByRole("link", { name: "Host page" }).and(page.locator(":focus")).waitFor();
    assert.equal(await leadsTo(context, () => page.keyboard.press("Enter")), `https://example.org/${host}`);
    await page.keyboard.press("Escape");
    await heat.getByRole("link", { name: "Host page" }).waitFor({ state: "detached" });

    await linksOf(page, "Dial", "web-0").waitFor();
    await linksOf(page, "Each", "web-02").click();
    assert.equal(await leadsTo(context, () => page.getByRole("menuitem", { name: "Host page" }).click()), "https://example.org/web-02");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a finger reaches them", async () => {
    const id = await newSpace(server, "By finger", { name: "Lines", streams: [requests], attributes: { links } }, { name: "Heat", streams: [requests], attributes: { kind: "heatmap", links } });
    const { context, page, problems } = await visitWithHost(phone);
    await page.goto(`/spaces/${id}?from=-1h`);
    await linksOf(page, "Lines", "web-02").tap();
    assert.equal(await leadsTo(context, () => page.getByRole("menuitem", { name: "Host page" }).tap()), "https://example.org/web-02");
    await card(page, "Heat").getByRole("img", { name: /Heat/ }).tap();
    assert.match(await leadsTo(context, () => card(page, "Heat").getByRole("link", { name: "Host page" }).tap()), /^https:\/\/example\.org\/web-0\d$/);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await settled(page);
    await accessible(page, "links on a phone");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
