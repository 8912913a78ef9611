// Charts of every kind beside what they were a week before.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { v1 } from "./server.mjs";
import { newSpace, now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const week = 7 * 86_400;
const sold = { metric: "shop.sold", tags: [{ name: "host", grouped: true }], name: "sold" };
const total = { metric: "shop.sold", group_function: "sum", name: "sold" };

/** What two hosts sold in each minute, now and a week before. */
async function recordSold() {
  // The past goes on a little: the page is looked at later than it is recorded.
  const minutes = (from, to) => Array.from({ length: from - to + 1 }, (_, i) => 60 * (from - i));
  const at = (ago, host, value) => ({ name: "shop.sold", time: now() - ago, tags: { host }, value });
  const measurements = [
    ...minutes(70, 0).flatMap((ago) => [at(ago, "web-01", 112), at(ago, "web-02", 90)]),
    ...minutes(70, -30).flatMap((ago) => [at(week + ago, "web-01", 100), at(week + ago, "web-02", 100)]),
  ];
  assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
}

/** Notes the colours of what is drawn in the dashes of the past. */
const watchDashes = (page) =>
  page.addInitScript(() => {
    globalThis.dashed = new Set();
    const { stroke } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.stroke = function (...path) {
      if (this.getLineDash().join() === "4,3") globalThis.dashed.add(this.strokeStyle);
      return stroke.apply(this, path);
    };
  });

const card = (page, name) => page.getByRole("article", { name, exact: true });

describe("compared with the past", () => {
  onServer();
  before(recordSold);

  test("every chart of a space says the difference, or that it is not compared", async () => {
    const id = await newSpace(
      server,
      "Compared",
      { name: "Lines", streams: [sold] },
      { name: "Table", streams: [sold], attributes: { kind: "table" } },
      { name: "Total", type: "bignumber", streams: [total] },
      { name: "Dial", type: "bignumber", streams: [sold], max: 200, attributes: { kind: "gauge" } },
      { name: "Heat", streams: [sold], attributes: { kind: "heatmap" } },
      { name: "Notes", streams: [], attributes: { kind: "text", text: "Words" } },
    );
    const { page, problems } = await visit(browser, server, { viewport: { width: 1440, height: 2000 } });
    await watchDashes(page);
    await page.goto(`/spaces/${id}?from=-1h`);
    const names = card(page, "Lines").locator("[data-legend]");
    await names.filter({ hasText: /web-01\s*112$/ }).waitFor();
    await card(page, "Total").getByText("+1\u00a0% on last week").waitFor();
    assert.equal(await page.evaluate(() => dashed.size), 0);

    await page.keyboard.press("w");
    await page.waitForURL(/compare=1w/);
    await names.filter({ hasText: /web-01\s*112 \+12\s%$/ }).waitFor();
    await names.filter({ hasText: /web-02\s*90 −10\s%$/ }).waitFor();
    const faint = await page.evaluate(() => [...dashed]);
    assert.equal(faint.length, 2, "a faint line for each host");
    for (const colour of faint) assert.match(colour, /^rgba\(.*0\.38/);

    const table = card(page, "Table");
    await table.getByRole("row", { name: /web-01 112 \+12\s%/ }).waitFor();
    await table.getByRole("row", { name: /web-02 90 −10\s%/ }).waitFor();
    await table.getByRole("button", { name: "Change" }).click();
    await table.getByRole("button", { name: "Change" }).click();
    await table.getByRole("columnheader", { name: "Change" }).and(page.locator("[aria-sort=ascending]")).waitFor();
    assert.deepEqual(await table.getByRole("rowheader").allTextContents(), ["web-02", "web-01"]);
    await card(page, "Total").getByText("+1\u00a0% on a week before").waitFor();
    await card(page, "Dial").getByRole("img", { name: /now 112, from 0 to 200, \+12\s% on a week before$/ }).waitFor();
    for (const [name, why] of [["Heat", "Heatmaps are not compared."], ["Notes", "Texts are not compared."]])
      assert.equal(await card(page, name).getByText("not compared").getAttribute("data-tip"), why);
    await settled(page);
    await accessible(page, "compared");

    // Nobody measured so long ago.
    await page.getByRole("button", { name: "Compared with the week before" }).click();
    await page.getByRole("menuitemcheckbox", { name: "Four weeks before" }).click();
    await card(page, "Total").getByText("no data four weeks before").waitFor();

    await page.keyboard.press("w");
    await card(page, "Total").getByText("+1\u00a0% on last week").waitFor();
    await card(page, "Table").getByRole("button", { name: "Change" }).waitFor({ state: "detached" });
    assert.equal(await page.getByText("not compared").count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the table of streams has the difference too, also on a phone", async () => {
    for (const options of [undefined, phone]) {
      const { page, problems } = await visit(browser, server, options);
      for (const path of ["/explore?metric=shop.sold&group=host&from=-1h&compare=1w", "/metrics?name=shop.sold&group=host&from=-1h&compare=1w"]) {
        await page.goto(path);
        await page.getByRole("columnheader", { name: "Change" }).waitFor();
        await page.getByRole("row", { name: /web-01.*\+12\s%$/ }).waitFor();
        await page.getByRole("row", { name: /web-02.*−10\s%$/ }).waitFor();
        assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), path);
      }
      await page.getByRole("button", { name: "Change" }).click();
      await page.getByRole("columnheader", { name: "Change" }).and(page.locator("[aria-sort=descending]")).waitFor();
      await settled(page);
      await accessible(page, "streams that are compared");
      await page.goto("/explore?metric=shop.sold&group=host&from=-1h&compare=1w&view=table");
      await page.getByRole("columnheader", { name: "web-01, a week before" }).waitFor();
      await page.getByRole("columnheader", { name: "web-02, difference" }).waitFor();
      await page.getByRole("row", { name: / 112 100 12 90 100 −10$/ }).first().waitFor();
      assert.deepEqual(problems, []);
      await page.close();
    }
  });
});
