// Every save is kept: compared, restored, and never overwritten unnoticed.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { openPage, signIn, v1 } from "./server.mjs";
import { newSpace, phone, visit } from "./shop.mjs";
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

const threshold = async (id) => (await v1(server, "GET", `/alerts/${id}`)).body.conditions[0].threshold;

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
    await accessible(mine.page, "a save that was refused");
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
    await mine.page.getByRole("main").getByRole("button", { name: "More", exact: true }).first().click();
    await mine.page.getByRole("menuitem", { name: "History" }).click();
    const drawer = mine.page.getByRole("dialog", { name: /History/ });
    await drawer.getByRole("button", { name: /Hers changed/ }).click();
    await drawer.getByRole("row", { name: /Hers Name Latency Hers/ }).waitFor();
    await drawer.getByRole("button", { name: "Restore this version" }).click();
    await mine.page.getByText(/^Restored version \d+ of/).waitFor();
    const [{ name }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    assert.equal(name, "Hers");
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
