// Checks, heartbeats and objectives in a real browser on the real binary.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { v1 } from "./server.mjs";
import { now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** Ten days, an hour at a time: of 1,000 answers two fail; five hours ago 400 do. */
async function answers() {
  const measurements = [];
  for (let h = 240; h >= 1; h--) {
    const time = now() - h * 3600;
    measurements.push({ name: "shop.answers", value: 1000, time, tags: { host: "a" } });
    measurements.push({ name: "shop.answers.good", value: h === 5 ? 600 : 998, time, tags: { host: "a" } });
  }
  for (let i = 0; i < measurements.length; i += 200) {
    const { status } = await v1(server, "POST", "/measurements", { measurements: measurements.slice(i, i + 200) });
    assert.equal(status, 202);
  }
}

async function pick(form, label, name) {
  const field = form.getByRole("combobox", { name: label });
  await field.fill(name);
  await form.getByRole("option", { name: new RegExp(`^${name.replaceAll(".", "\\.")} `) }).click();
}

describe("checks and objectives", () => {
  onServer();

  test("a check and a heartbeat are made in one form, and the job says that it failed", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/checks");
    await page.getByText("Nothing is watched from outside yet.").waitFor();
    await page.getByRole("button", { name: "Watch a web address" }).click();
    const form = page.getByRole("complementary", { name: "New check" });
    await form.getByLabel("Name").fill("Itself");
    await form.getByLabel("Address").fill(`${server.base}/healthz`);
    await form.getByText(/200 OK, /).waitFor();
    await accessible(page, "a new check");
    await form.getByRole("button", { name: "Save check" }).click();
    await page.getByRole("row", { name: /Itself/ }).waitFor();

    await page.keyboard.press("c");
    await form.getByRole("button", { name: "Heartbeat" }).click();
    await form.getByLabel("Name").fill("Backup");
    await form.getByRole("button", { name: "Save check" }).click();
    await form.getByRole("heading", { name: "Call this address" }).waitFor();
    const url = /http\S+\/heartbeat\/\w+/.exec(await form.innerText())[0];
    await form.getByRole("button", { name: "Done" }).click();
    assert.equal((await fetch(`${url}/fail`)).status, 200);
    await page.reload();
    await page.getByRole("row", { name: /Backup.*Missed.*the job said that it failed/ }).waitFor();
    await accessible(page, "the checks");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a check is given to an agent, which says what it found and then falls silent", async () => {
    const place = { name: "web-01", tags: { role: "edge" } };
    assert.equal((await v1(server, "POST", "/places", place)).status, 200);
    const { page, problems } = await visit(browser, server);
    await page.goto("/checks");
    await page.getByRole("button", { name: "New check" }).click();
    const form = page.getByRole("complementary", { name: "New check" });
    await form.getByRole("button", { name: "Port" }).click();
    await form.getByLabel("Address").fill("db-01:5432");
    await form.getByRole("button", { name: "From" }).click();
    const places = page.getByRole("dialog", { name: "Places" });
    await places.getByLabel(/^web-01/).check();
    await places.getByLabel("the server").uncheck();
    await places.getByLabel(/^agents with role=edge/).waitFor();
    await page.keyboard.press("Escape");
    await form.getByLabel("Also when an agent falls silent").waitFor();
    await form.getByLabel("Name").fill("Database");
    await form.getByRole("button", { name: "Save check" }).click();
    await page.getByRole("row", { name: /Database.*from web-01.*Waiting/ }).waitFor();

    const given = (await v1(server, "POST", "/places", place)).body.checks;
    assert.deepEqual(given.map((c) => [c.kind, c.target]), [["tcp", "db-01:5432"]]);
    const tell = (time, up, said) => v1(server, "POST", "/places/results", { place: "web-01", results: [{ check: given[0].id, time, up, duration: 0.0012, said }] });
    assert.equal((await tell(now() - 400, true, "it accepts connections")).body.recorded, 1);
    await page.reload();
    await page.getByRole("row", { name: /Database.*Silent.*nothing from web-01/ }).waitFor();
    await tell(now(), false, "connection refused");
    await page.reload();
    await page.getByRole("row", { name: /Database.*Down.*connection refused/ }).waitFor();
    await page.getByRole("button", { name: /^Not well/ }).click();
    assert.equal(await page.getByRole("row", { name: /Itself/ }).count(), 0);
    const { alerts } = (await v1(server, "GET", "/alerts?name=Database")).body;
    assert.deepEqual(alerts.map((a) => [a.name, a.conditions[0].type]).sort(), [["Check: Database is silent", "absent"], ["Check: Database", "below"]]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an objective is made after a look at what is stored, and its burn alerts are offered", async () => {
    await answers();
    const { page, problems } = await visit(browser, server);
    await page.goto("/objectives");
    await page.getByText("No objectives yet.").waitFor();
    await page.getByText("Start from what customers notice: answers, speed, orders.").waitFor();
    await page.getByRole("button", { name: "New objective" }).click();
    const form = page.getByRole("dialog", { name: "New objective" });
    await form.getByLabel("Name").fill("Checkout answers");
    await pick(form, "Counts what is good", "shop.answers.good");
    await pick(form, "Counts all", "shop.answers");
    await form.getByLabel("Target in percent").fill("99.5");
    await form.getByLabel("Over").selectOption("28");
    await form.getByText(/^You would have met it in the last 28 days\. Now: 99\.6/).waitFor();
    await accessible(page, "a new objective");
    await form.getByRole("button", { name: "Save objective" }).click();

    await page.waitForURL(/\/o\/\d+\/objectives\/\d+$/);
    await page.getByRole("heading", { name: "Checkout answers", level: 1 }).waitFor();
    await page.getByText("Nobody is notified when the budget burns.").waitFor();
    await page.getByRole("img", { name: /^Error budget left, from .* are left\.$/ }).waitFor();
    await page.getByRole("row", { name: /6 h and 30 min/ }).waitFor();
    await settled(page);
    await accessible(page, "an objective");
    await page.getByRole("button", { name: "Add burn alerts" }).click();
    await page.getByRole("dialog", { name: "Add burn alerts" }).getByRole("button", { name: "Make 4 alerts" }).click();
    await page.getByRole("link", { name: "Checkout answers burns over 1 h" }).waitFor();
    const { alerts } = (await v1(server, "GET", "/alerts?name=Checkout+answers")).body;
    assert.deepEqual(alerts.map((a) => [a.conditions[0].threshold, a.conditions[0].against.period]).sort((a, b) => a[1] - b[1]), [[14, 3600], [6, 21600], [3, 86400], [1, 259200]]);
    assert.deepEqual(alerts[0].conditions[0].against.good_metric, "shop.answers.good");

    await page.getByRole("button", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit objective" });
    await edit.getByLabel("Target in percent").fill("99.9");
    await edit.getByRole("button", { name: "Save objective" }).click();
    await page.getByText("Missed").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on a phone objectives are a list, and one can be deleted", async () => {
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/objectives");
    await page.getByRole("link", { name: "Checkout answers" }).click();
    await page.getByRole("heading", { name: "Checkout answers", level: 1 }).waitFor();
    await page.getByRole("img", { name: /^30 days/ }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog", { name: "Delete Checkout answers?" }).getByRole("button", { name: "Delete objective" }).click();
    await page.getByText("No objectives yet.").waitFor();
    assert.deepEqual((await v1(server, "GET", "/objectives")).body.objectives, []);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on a phone a new check begins in its first field", async () => {
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/checks");
    await page.getByRole("button", { name: "New check" }).click();
    const form = page.getByRole("dialog", { name: "New check" });
    await form.getByLabel("Address").and(page.locator(":focus")).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  // Heartbeats are evaluated once a minute: meanwhile the objectives had their turn.
  test("the heartbeat whose job failed fires", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts?state=firing");
    await page.getByText("Check: Backup").first().waitFor({ timeout: 60_000 });
    assert.deepEqual(problems, []);
    await page.close();
  });
});
