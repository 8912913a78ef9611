// What a space is narrowed to is the same wherever it is shown, and said there.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessibleInBoth } from "./axe.mjs";
import { openPage, until, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const orders = { name: "Orders", type: "bignumber", use_last_value: true, streams: [{ metric: "orders", group_function: "sum", tags: [{ name: "environment", dynamic: true }] }] };

/** A space of orders, 30 in production, 7 in staging and 5 in test, that begins with some filters. */
async function narrowed(context, name, default_tags) {
  const time = now() - 60;
  const measurements = Object.entries({ production: 30, staging: 7, test: 5 }).map(([environment, value]) => ({ name: "orders", value, time, tags: { environment } }));
  await v1(server, "POST", "/measurements", { measurements });
  const id = await newSpace(server, name, orders);
  const saved = await context.request.put(`/ui/api/spaces/${id}/layout`, { data: { layout: [], default_tags, annotations: [] } });
  assert.ok(saved.ok(), await saved.text());
  return id;
}

async function linkTo(context, id, locked_tags = null) {
  const made = await context.request.post(`/ui/api/spaces/${id}/shares`, { data: { name: "s", expires_in: 3600, locked_tags } });
  return new URL((await made.json()).url).pathname;
}

const shows = (page, n) => page.getByRole("article", { name: "Orders" }).getByText(String(n), { exact: true }).waitFor();
const chip = (page, words) => page.getByRole("button", { name: words, exact: true });
const production = [{ name: "environment", values: ["production"] }];

describe("what a space is narrowed to", () => {
  onServer();

  test("a link begins with the filter of its space, which can be changed; a locked one takes none from its address", async () => {
    const { page, context, problems } = await visit(browser, server);
    const id = await narrowed(context, "Narrow", production);
    await page.goto(`/spaces/${id}`);
    await shows(page, 30);
    const [open, locked] = [await linkTo(context, id), await linkTo(context, id, production)];
    for (const options of [undefined, phone]) {
      const guest = await openPage(browser, server, options);
      await guest.page.goto(open);
      await shows(guest.page, 30);
      await chip(guest.page, "environment is production").waitFor();
      await accessibleInBoth(guest.page, "a link that is narrowed");
      await guest.page.getByRole("button", { name: "Remove the filter on environment" }).click();
      await shows(guest.page, 42);
      assert.equal(await chip(guest.page, "environment is production").count(), 0);
      await guest.page.goto(`${open}?tag.environment=staging`);
      await shows(guest.page, 7);
      await chip(guest.page, "environment is staging").waitFor();
      for (const asked of ["tag.environment=staging", "tag.environment=*", "tag.Environment=staging&group=environment", "tag.host=x&group=host"]) {
        await guest.page.goto(`${locked}?${asked}`);
        await shows(guest.page, 30);
        await settled(guest.page);
        assert.deepEqual(await guest.page.locator('[class*="sharedFilters"] button').allInnerTexts(), ["environment\nis\nproduction"], asked);
      }
      assert.deepEqual(guest.problems, []);
      await guest.context.close();
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("walls, playlists, one chart and paper show it, and say so", async () => {
    const { page, context, problems } = await visit(browser, server);
    const two = [{ name: "environment", values: ["production", "staging"] }];
    const id = await narrowed(context, "Wide", two);
    const link = await linkTo(context, id);
    const { id: playlist } = await (await context.request.post("/ui/api/playlists", { data: { name: "All", spaces: [{ space: id, seconds: 600 }, { space: id, seconds: 600, tags: production }] } })).json();
    for (const path of [`/spaces/${id}/wall`, `${link}/wall`, `/playlists/${playlist}/play`]) {
      await page.goto(path);
      await shows(page, 37);
      await page.getByText("environment is production or staging", { exact: true }).waitFor();
    }
    await settled(page);
    await accessibleInBoth(page, "a playlist that is narrowed");
    await page.keyboard.press("ArrowRight");
    await shows(page, 30);
    await page.getByText("environment is production", { exact: true }).waitFor();
    const [chart] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    await page.goto(`/spaces/${id}/charts/${chart.id}`);
    await page.getByText("environment is production or staging", { exact: true }).waitFor();
    for (const path of [`/spaces/${id}`, link]) {
      await page.goto(path);
      await shows(page, 37);
      await page.emulateMedia({ media: "print" });
      await page.getByText("production, staging", { exact: true }).waitFor();
      await page.emulateMedia({ media: "screen" });
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a filter that leaves out is saved as such", async () => {
    const { page, context, problems } = await visit(browser, server);
    const id = await narrowed(context, "Without", []);
    await page.goto(`/spaces/${id}?tag.environment=!staging`);
    await shows(page, 35);
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Save as default" }).click();
    const saved = async () => (await (await context.request.get(`/ui/api/spaces/${id}/layout`)).json()).default_tags;
    await until(async () => (await saved()).length > 0);
    assert.deepEqual(await saved(), [{ name: "environment", values: ["!staging"] }]);
    const link = await linkTo(context, id);
    for (const path of [`/spaces/${id}`, link]) {
      await page.goto(path);
      await shows(page, 35);
      await chip(page, "environment is not staging").waitFor();
    }
    await page.goto(`${link}/wall`);
    await shows(page, 35);
    await page.getByText("environment is not staging", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });
});
