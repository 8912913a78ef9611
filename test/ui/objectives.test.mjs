// Objectives in a real browser on the real binary: one is made, says what is
// left of its budget, and offers alerts on how fast it burns.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { v1 } from "./server.mjs";
import { now, phone, settled, startShop, visit } from "./shop.mjs";
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

describe("objectives", () => {
  onServer(startShop);

  test("one is made after a look at what is stored, and its burn alerts are offered", async () => {
    await answers();
    const { context, page, problems } = await visit(browser, server);
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
    const { alerts } = (await v1(server, "GET", "/alerts")).body;
    assert.deepEqual(alerts.map((a) => [a.conditions[0].threshold, a.conditions[0].against.period]).sort((a, b) => a[1] - b[1]), [[14, 3600], [6, 21600], [3, 86400], [1, 259200]]);
    assert.deepEqual(alerts[0].conditions[0].against.good_metric, "shop.answers.good");

    await page.getByRole("button", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit objective" });
    await edit.getByLabel("Target in percent").fill("99.9");
    await edit.getByRole("button", { name: "Save objective" }).click();
    await page.getByText("Missed").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone it is a list, and one can be deleted", async () => {
    const { context, page, problems } = await visit(browser, server, phone);
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
    await context.close();
  });
});
