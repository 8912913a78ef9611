// Objectives over distributions, by tags and without maintenance, and what
// spent their budget, in a real browser on the real binary. Run by node --test
// test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { v1 } from "./server.mjs";
import { now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const began = Math.floor(now() / 3600) * 3600 - 50 * 3600; // a whole hour, two days ago

async function send(measurements) {
  for (let i = 0; i < measurements.length; i += 200) {
    const { status } = await v1(server, "POST", "/measurements", { measurements: measurements.slice(i, i + 200) });
    assert.equal(status, 202);
  }
}

/** Six days of latencies of two regions; for twenty minutes a third of those of eu is slow, after a deploy. */
async function latencies() {
  const all = [];
  const at = (region, time, slow) =>
    all.push({ name: "shop.latency", time, tags: { region, kind: "web" }, distribution: Array.from({ length: 30 }, (_, i) => (i < slow ? 900 : 100 + i)) });
  for (const region of ["eu", "us"]) {
    for (let h = 95; h >= 1; h--) at(region, began + 50 * 3600 - h * 3600 - 1800, 0);
    for (let m = 0; m < 20; m++) at(region, began + m * 60, region === "eu" ? 10 : 0);
  }
  await send(all);
  const { status } = await v1(server, "POST", "/annotations/deploys", { title: "checkout 4.17.2", start_time: began - 120 });
  assert.equal(status, 201);
}

describe("objectives", () => {
  onServer();

  test("an objective of a distribution has a budget for each value, and says what spent it", async () => {
    await latencies();
    const { page, problems } = await visit(browser, server);
    await page.goto("/objectives");
    await page.getByText("No objectives yet.").waitFor();
    await page.getByRole("button", { name: "New objective" }).click();
    const form = page.getByRole("dialog", { name: "New objective" });
    await form.getByLabel("Name").fill("Checkout speed");
    await form.getByRole("button", { name: "A value that is small enough" }).click();
    const field = form.getByRole("combobox", { name: "Distribution" });
    await field.fill("shop.latency");
    await form.getByRole("option", { name: /^shop\.latency / }).click();
    await form.getByLabel("Good up to").fill("300");
    await form.getByLabel("Target in percent").fill("95");
    await form.getByLabel("Over").selectOption("7");
    await form.getByLabel("A budget for").selectOption("region");
    await form.getByLabel("Without maintenance").check();
    await form.getByLabel("Labels").fill("team=shop");
    await form.getByLabel("Labels").press("Enter");
    await form.getByText(/All 2 values together\./).waitFor();
    await accessible(page, "a new objective of a distribution");
    await form.getByRole("button", { name: "Save objective" }).click();

    await page.waitForURL(/\/o\/\d+\/objectives\/\d+$/);
    await page.getByRole("heading", { name: "Checkout speed", level: 1 }).waitFor();
    await page.getByText(/of the values of shop\.latency are to be at most 300\sms, over 7 days, for each region, without maintenance/).waitFor();
    const spent = page.getByRole("row", { name: /checkout 4\.17\.2.*20 min/ });
    await spent.waitFor();
    await page.getByRole("row", { name: /^eu .*200/ }).first().waitFor();
    await page.getByRole("button", { name: "us", exact: true }).click();
    await page.getByText(/region us alone/).waitFor();
    await page.getByText("At no time did more fail than may.").waitFor();
    await page.getByRole("button", { name: "us", exact: true }).click();
    await page.getByLabel("Window").selectOption("28");
    await page.getByText(/over 28 days, for each region/).waitFor();
    await settled(page);
    await accessible(page, "an objective of a distribution");

    await page.getByRole("button", { name: "Add burn alerts" }).click();
    await page.getByRole("dialog", { name: "Add burn alerts" }).getByRole("button", { name: "Make 4 alerts" }).click();
    await page.getByText(/They notify nobody yet\./).waitFor();
    const { alerts } = (await v1(server, "GET", "/alerts?name=Checkout+speed")).body;
    assert.equal(alerts.length, 4);
    const { below, without_maintenance } = alerts[0].conditions[0].against;
    assert.deepEqual([below, without_maintenance, alerts[0].labels], [300, true, { team: "shop" }]);
    await page.getByRole("link", { name: "checkout 4.17.2" }).click();
    await page.waitForURL(/\/annotations\/deploys/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("what was counted in maintenance is left out", async () => {
    const { status } = await v1(server, "POST", "/maintenance", { name: "Upgrade", starts_at: began, ends_at: began + 1200, covers: { labels: { team: "shop" } } });
    assert.equal(status, 201);
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/objectives");
    await page.getByRole("link", { name: "Checkout speed" }).click();
    await page.getByRole("heading", { name: "Checkout speed", level: 1 }).waitFor();
    await page.getByText(/without maintenance \(20 min\)/).waitFor();
    await page.getByText("At no time did more fail than may.").waitFor();
    await settled(page);
    await accessible(page, "an objective on a phone");
    assert.deepEqual(problems, []);
    await page.close();
  });
});
