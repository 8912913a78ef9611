// Every save is kept: compared, restored, and never overwritten unnoticed.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { accessible, accessibleInBoth } from "./axe.mjs";
import { press, tabTo } from "./keyboard.mjs";
import { openPage, signIn, v1 } from "./server.mjs";
import { newSpace, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const anna = { email: "anna@example.org", password: "two at one table" };

/** A second person, in a browser of their own. */
async function second() {
  const made = await openPage(browser, server);
  await signIn(made.context, anna);
  return made;
}

async function newAlert(name) {
  const condition = { type: "above", metric_name: "shop.latency", threshold: 250 };
  return (await v1(server, "POST", "/alerts", { name, conditions: [condition] })).body.id;
}

/** Opens the editor of an alert and waits until it can be used. */
async function editAlert(page, id, name) {
  await page.goto(`/alerts/${id}/edit`);
  await page.getByRole("heading", { name, level: 1 }).waitFor();
  await page
    .getByLabel(/^Threshold/)
    .first()
    .waitFor();
}

async function saveAlert(page, id) {
  await page.getByRole("button", { name: "Save alert" }).click();
  await page.waitForURL((u) => u.pathname.endsWith(`/alerts/${id}`));
}

async function openHistory(page, id) {
  await page.goto(`/spaces/${id}`);
  await page.getByRole("main").getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "History" }).click();
  await page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}/history`));
  await page.getByRole("heading", { name: "History", level: 1 }).waitFor();
}

/** A space that a token made with three charts, and in which anna then renamed, moved, removed and added one. */
async function changedSpace(name) {
  const id = await newSpace(server, name, { name: "Latency" }, { name: "Errors" }, { name: "Requests" });
  const [latency, errors, requests] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
  const hers = await second();
  const ask = async (method, path, data) => {
    const answer = await hers.context.request[method](path, { data });
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()}`);
    return answer;
  };
  const charts = `/v1/spaces/${id}/charts`;
  await ask("put", `${charts}/${latency.id}`, { name: "Latency in all" });
  await ask("delete", `${charts}/${errors.id}`);
  const { id: added } = await (await ask("post", charts, { name: "Orders", type: "stacked", streams: [{ metric: "shop.requests" }] })).json();
  const box = { width: 6, height: 5, row: 0 };
  const layout = [{ ...box, chart: latency.id, col: 0 }, { ...box, chart: requests.id, col: 6 }, { ...box, chart: added, col: 0, row: 5 }];
  await ask("put", `/ui/api/spaces/${id}/layout`, { layout, default_tags: [], annotations: [] });
  await hers.context.close();
  return { id, names: async () => (await v1(server, "GET", `/spaces/${id}/charts`)).body.map((c) => c.name) };
}

const threshold = async (id) => (await v1(server, "GET", `/alerts/${id}`)).body.conditions[0].threshold;

const summed = (by) => `${by}(s("shop.requests", "*"))`;
const definition = async (name) => (await v1(server, "GET", `/metrics/${name}`)).body.composite;

/** Opens the properties of a composite and waits until it can be changed. */
async function editComposite(page, name) {
  await page.goto(`/metrics?name=${name}`);
  await page.getByRole("button", { name: "Edit properties" }).click();
  const drawer = page.getByRole("dialog", { name });
  await drawer.getByRole("textbox", { name: "Composite" }).waitFor();
  return drawer;
}

/** Replaces the definition, as somebody does who pastes one. */
async function rewrite(drawer, text) {
  const keys = drawer.page().keyboard;
  await drawer.getByRole("textbox", { name: "Composite" }).click();
  await keys.press("Control+a");
  await keys.insertText(text);
}

describe("history", () => {
  onServer();
  before(() => server.cli(["user", "create", anna.email, "--role", "member"], anna.password));

  test("an alert is changed twice, compared and restored", async () => {
    const id = await newAlert("latency.high");
    const { page, problems } = await visit(browser, server);
    await editAlert(page, id, "latency.high");
    await page
      .getByLabel(/^Threshold/)
      .first()
      .fill("300");
    await saveAlert(page, id);
    await editAlert(page, id, "latency.high");
    await page.getByRole("textbox", { name: "Name" }).fill("latency.higher");
    await saveAlert(page, id);
    await page.getByRole("heading", { name: "latency.higher", level: 1 }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "History" }).click();
    const drawer = page.getByRole("dialog", { name: /History/ });
    await drawer.getByRole("button", { name: /Name to latency\.higher/ }).waitFor();
    await drawer.getByRole("button", { name: /threshold to 300/ }).waitFor();
    await drawer.getByRole("button", { name: /Made/ }).click();

    // Compared with the latest, not only with the one before.
    await drawer.getByLabel("Compared with").selectOption("3");
    await drawer.getByRole("row", { name: /Changed Name latency\.high latency\.higher/ }).waitFor();
    await drawer.getByRole("row", { name: /Threshold 250 300/ }).waitFor();
    await accessible(page, "a comparison of versions");
    await drawer.getByRole("button", { name: "Restore this version" }).click();
    await page.getByText(/^Restored version 1 of/).waitFor();
    await drawer.getByRole("button", { name: /Restored version 1/ }).waitFor();
    assert.equal(await threshold(id), 250);
    await page.getByRole("button", { name: "Undo" }).click();
    await drawer.getByRole("button", { name: /Restored version 3/ }).waitFor();
    assert.equal(await threshold(id), 300);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("two people edit one alert: each sees the other, and the second save asks", async () => {
    const id = await newAlert("latency.both");
    const mine = await visit(browser, server);
    const hers = await second();
    await editAlert(mine.page, id, "latency.both");
    await editAlert(hers.page, id, "latency.both");
    await mine.page.getByText("anna@example.org is editing this too.").waitFor();
    await hers.page.getByText("owner@example.org is editing this too.").waitFor();
    await hers.page
      .getByLabel(/^Threshold/)
      .first()
      .fill("400");
    await mine.page
      .getByLabel(/^Threshold/)
      .first()
      .fill("500");
    await saveAlert(hers.page, id);
    await mine.page.getByText(/anna@example\.org saved version 2/).waitFor();

    await mine.page.getByRole("button", { name: "Save alert" }).click();
    const dialog = mine.page.getByRole("dialog", { name: "Somebody saved this meanwhile" });
    await dialog.getByRole("row", { name: /Threshold 250 400/ }).waitFor();
    assert.equal(await threshold(id), 400);
    await accessibleInBoth(mine.page, "a save that was refused", '[role="dialog"]');
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    await dialog.waitFor({ state: "hidden" });
    assert.equal(
      await mine.page
        .getByLabel(/^Threshold/)
        .first()
        .inputValue(),
      "500",
    );
    await mine.page.getByRole("button", { name: "Save alert" }).click();
    await dialog.getByRole("button", { name: "Save mine on top" }).click();
    await mine.page.waitForURL((u) => u.pathname.endsWith(`/alerts/${id}`));
    assert.equal(await threshold(id), 500);

    // A client of the API asks nobody, and is kept all the same.
    await editAlert(mine.page, id, "latency.both");
    await v1(server, "PUT", `/alerts/${id}`, {
      name: "latency.token",
      conditions: [{ type: "above", metric_name: "shop.latency", threshold: 600 }],
    });
    await mine.page.getByText(/^Token .* saved version 4/).waitFor();
    await mine.page.getByRole("button", { name: "See what changed" }).click();
    await dialog.getByRole("row", { name: /Name latency\.both latency\.token/ }).waitFor();
    await dialog.getByRole("button", { name: "Take theirs" }).click();
    await mine.page.getByRole("heading", { name: "latency.token", level: 1 }).waitFor();
    assert.deepEqual([...mine.problems, ...hers.problems], []);
    await hers.context.close();
    await mine.page.close();
  });

  test("two people edit one chart, and the space brings an older one back", async () => {
    const id = await newSpace(server, "Shared table", { name: "Latency", streams: [{ metric: "shop.latency" }] });
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const mine = await visit(browser, server);
    const hers = await second();
    const edit = async ({ page }) => {
      await page.goto(`/spaces/${id}/charts/${chart}/edit`);
      await page.getByRole("heading", { name: "Latency", level: 1 }).waitFor();
    };
    await edit(mine);
    await edit(hers);
    await mine.page.getByText("anna@example.org is editing this too.").waitFor();
    await hers.page.getByRole("complementary", { name: "Chart settings" }).getByLabel("Name").fill("Hers");
    await hers.page.getByRole("button", { name: /Save chart/ }).click();
    await hers.page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}`));
    await mine.page.getByRole("complementary", { name: "Chart settings" }).getByLabel("Name").fill("Mine");
    await mine.page.getByRole("button", { name: /Save chart/ }).click();
    const dialog = mine.page.getByRole("dialog", { name: "Somebody saved this meanwhile" });
    await dialog.getByRole("row", { name: /Name Latency Hers/ }).waitFor();
    await dialog.getByRole("button", { name: "Save mine on top" }).click();
    await mine.page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}`));
    await mine.page.getByRole("article", { name: "Mine" }).waitFor();

    // The space has both saves, and brings hers back.
    await openHistory(mine.page, id);
    await mine.page.getByRole("link", { name: /Hers changed/ }).click();
    await mine.page.getByRole("row", { name: /Changed Hers Name Latency Hers/ }).waitFor();
    await mine.page.getByRole("button", { name: "Restore this version" }).click();
    await mine.page.getByText(/^Restored to /).waitFor();
    const [{ name }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    assert.equal(name, "Hers");
    assert.deepEqual([...mine.problems, ...hers.problems], []);
    await hers.context.close();
    await mine.page.close();
  });

  test("a space: what somebody changed, side by side, overlaid and as text, with keys alone", async () => {
    const { id } = await changedSpace("Changed");
    const { page, problems } = await visit(browser, server);
    await openHistory(page, id);
    const saves = page.getByRole("region", { name: "Saves" });
    const hers = saves.getByRole("link", { name: /anna@example\.org.*Orders added.*Errors removed.*Latency in all changed/ });
    await hers.waitFor();
    assert.equal(await hers.getAttribute("aria-current"), "true");
    const card = (name) => page.getByRole("article", { name, exact: true });
    for (const [name, n] of [["Latency, changed", 1], ["Latency in all, changed", 1], ["Requests, moved", 2], ["Errors, removed", 1], ["Orders, added", 1]]) {
      await card(name).first().waitFor();
      assert.equal(await card(name).count(), n, name);
    }
    await page.getByRole("row", { name: /Changed Latency in all Name Latency Latency in all/ }).waitFor();
    await page.getByRole("row", { name: /Added Orders Stacked of shop\.requests none row 6, column 1/ }).waitFor();
    await page.getByRole("heading", { name: /^\d changes$/ }).waitFor();
    await accessibleInBoth(page, "two versions side by side");

    await page.keyboard.press("o");
    const slider = page.getByRole("slider", { name: /what was before/ });
    await slider.focus();
    await page.keyboard.press("End");
    assert.equal(await slider.inputValue(), "100");
    await accessibleInBoth(page, "two versions overlaid");
    await page.keyboard.press("Tab");
    await page.getByRole("heading", { level: 1 }).click(); // single keys are not for a field
    await page.keyboard.press("t");
    const text = page.getByRole("region", { name: "The difference as text" });
    await text.getByText('+       "name": "Latency in all",').waitFor();
    await text.getByText('\u2212       "name": "Latency",').waitFor();
    await accessibleInBoth(page, "two versions as text");
    await page.keyboard.press("s");
    await card("Orders, added").waitFor();

    // Older and newer, and each of several that are shown as one.
    await page.keyboard.press("j");
    await saves.getByRole("link", { name: /Made/ }).and(page.locator("[aria-current]")).waitFor();
    await page.getByText("There is no save before this one.").waitFor();
    await page.keyboard.press("k");
    await card("Orders, added").waitFor();
    const listed = await saves.getByRole("listitem").count();
    await saves.getByRole("button", { name: "4 saves" }).first().click();
    await saves.getByRole("link", { name: /Errors removed/ }).click();
    await card("Errors, removed").waitFor();
    assert.equal(await saves.getByRole("listitem").count(), listed + 3);
    assert.equal(await card("Orders, added").count(), 0);
    await page.keyboard.press("Escape");
    await page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}`));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a save of a space is given a name and restored at once, and the restore undone", async () => {
    const { id, names } = await changedSpace("Restored");
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}/history`);
    const restore = page.getByRole("button", { name: "Restore this version" });
    await restore.waitFor();
    assert.ok(await restore.isDisabled(), "the latest is what there is");
    await page.getByRole("link", { name: /Made/ }).click();
    await page.waitForURL(/history\/\d+/);
    await page.getByRole("button", { name: "Name this save" }).click();
    const dialog = page.getByRole("dialog", { name: /^Name the save of/ });
    await dialog.getByLabel("Name").fill("before sale");
    await dialog.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("link", { name: /named: before sale/ }).waitFor();
    await restore.click();
    await page.getByText(/^Restored to \d/).waitFor();
    await page.getByRole("link", { name: /Restored version/ }).and(page.locator("[aria-current]")).waitFor();
    assert.deepEqual((await names()).sort(), ["Errors", "Latency", "Requests"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: /Restored version/ }).nth(1).waitFor();
    assert.deepEqual((await names()).sort(), ["Latency in all", "Orders", "Requests"]);
    await page.getByRole("button", { name: "Close", exact: true }).last().click();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("who only looks sees the history of a space without a way to restore, and one save says so", async () => {
    const watcher = { email: "wall@example.org", password: "a screen on the wall" };
    server.cli(["user", "create", watcher.email, "--role", "viewer"], watcher.password);
    const id = (await v1(server, "POST", "/spaces", { name: "Quiet" })).body.id;
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context, watcher);
    await page.goto(`/spaces/${id}/history/1`);
    await page.getByText("Nothing was changed since it was made.").waitFor();
    assert.equal(await page.getByRole("button", { name: /Restore/ }).count(), 0);
    await page.goto(`/spaces/${id}/history/7`);
    await page.getByText("There is no such save any more.").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the history of a space on a phone: the list, then one version at a time", async () => {
    const { id } = await changedSpace("In the hand");
    const { page, problems } = await visit(browser, server, phone);
    await page.goto(`/spaces/${id}/history`);
    await page.getByRole("link", { name: /Orders added/ }).click();
    const card = (name) => page.getByRole("article", { name, exact: true });
    await card("Orders, added").waitFor();
    assert.equal(await card("Errors, removed").count(), 0);
    await page.getByRole("button", { name: "Before", exact: true }).click();
    await card("Errors, removed").waitFor();
    assert.equal(await card("Orders, added").count(), 0);
    await accessibleInBoth(page, "a version on a phone");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    await page.getByRole("link", { name: "Back to saves" }).click();
    await page.getByRole("link", { name: /Orders added/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a composite is saved twice, compared, and restored by keys alone", async () => {
    await v1(server, "PUT", "/metrics/shop.sum", { type: "composite", composite: summed("sum") });
    const { page, problems } = await visit(browser, server);
    for (const by of ["max", "min"]) {
      const drawer = await editComposite(page, "shop.sum");
      await rewrite(drawer, summed(by));
      await drawer.getByRole("button", { name: "Save changes" }).click();
      await drawer.waitFor({ state: "detached" });
      assert.equal(await definition("shop.sum"), summed(by));
    }
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "History" }).click();
    const drawer = page.getByRole("dialog", { name: /History/ });
    await tabTo(page, drawer.getByRole("button", { name: /Made/ }));
    await page.keyboard.press("Enter");
    await drawer.getByRole("row", { name: /Definition sum.* min/ }).waitFor(); // with the latest
    await tabTo(page, drawer.getByLabel("Compared with"));
    await page.keyboard.press("ArrowDown");
    await drawer.getByRole("row", { name: /Definition sum.* max/ }).waitFor();
    await press(page, "Restore this version", drawer);
    await drawer.getByRole("button", { name: /Restored version 1/ }).waitFor();
    assert.equal(await definition("shop.sum"), summed("sum"));
    await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
    await page.keyboard.press("Control+z"); // Tab does not leave the drawer
    await drawer.getByRole("button", { name: /Restored version 3/ }).waitFor();
    assert.equal(await definition("shop.sum"), summed("min"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("two people edit one composite: each sees the other, and the second save asks", async () => {
    await v1(server, "PUT", "/metrics/shop.both", { type: "composite", composite: summed("sum") });
    const mine = await visit(browser, server);
    const hers = await second();
    const [ours, theirs] = [await editComposite(mine.page, "shop.both"), await editComposite(hers.page, "shop.both")];
    await ours.getByText("anna@example.org is editing this too.").waitFor();
    await theirs.getByText("owner@example.org is editing this too.").waitFor();
    await rewrite(theirs, summed("max"));
    await rewrite(ours, summed("min"));
    await theirs.getByRole("button", { name: "Save changes" }).click();
    await theirs.waitFor({ state: "detached" });
    await ours.getByText(/anna@example\.org saved version 2/).waitFor();
    await ours.getByRole("button", { name: "Save changes" }).click();
    const dialog = mine.page.getByRole("dialog", { name: "Somebody saved this meanwhile" });
    await dialog.getByRole("row", { name: /Definition sum.* max/ }).waitFor();
    assert.equal(await definition("shop.both"), summed("max"), "nothing is overwritten");
    await dialog.getByRole("button", { name: "Save mine on top" }).click();
    await ours.waitFor({ state: "detached" });
    assert.equal(await definition("shop.both"), summed("min"));
    assert.deepEqual([...mine.problems, ...hers.problems], []);
    await hers.context.close();
    await mine.page.close();
  });

  test("a composite has a history, also on a phone", async () => {
    for (const composite of ['sum(s("shop.requests", "*"))', 'max(s("shop.requests", "*"))']) {
      await v1(server, "PUT", "/metrics/shop.all", { type: "composite", composite });
    }
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/metrics?name=shop.all&dialog=history");
    const drawer = page.getByRole("dialog", { name: /History/ });
    await drawer.getByRole("button", { name: /Definition changed|Definition to/ }).click();
    await drawer.getByRole("row", { name: /Definition sum.* max/ }).waitFor();
    await accessible(page, "the history of a composite on a phone");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("what was deleted is listed, and restored as it was", async () => {
    const space = await newSpace(server, "Gone too soon", { name: "Latency" });
    const alert = await newAlert("gone.alert");
    await v1(server, "DELETE", `/spaces/${space}`);
    await v1(server, "DELETE", `/alerts/${alert}`);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/deleted");
    await page.getByRole("row", { name: /gone\.alert.*Alert/ }).waitFor();
    await accessible(page, "what was deleted");
    await page.getByRole("button", { name: "Restore Gone too soon" }).click();
    await page.getByText("Gone too soon is restored.").waitFor();
    await page.getByRole("row", { name: /Gone too soon/ }).waitFor({ state: "detached" });
    const charts = (await v1(server, "GET", `/spaces/${space}/charts`)).body;
    assert.deepEqual(charts.map((c) => c.name), ["Latency"]);
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await page.waitForURL(new RegExp(`/spaces/${space}`));
    assert.equal((await v1(server, "GET", `/alerts/${alert}`)).status, 404, "the other is still gone");
    assert.deepEqual(problems, []);
    await page.close();
  });
});
