// A journey through 20,000 streams: a band, and those that are apart from it.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { until, v1 } from "./server.mjs";
import { newSpace, now, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const streams = 20_000;
const minutes = 10;
const most = 10_000; // measurements of a request

/** Twenty thousand sensors around 20 degrees, of which two are much warmer and colder. */
async function startMany() {
  const server = await startShop();
  const end = Math.floor(now() / 60) * 60;
  for (let m = minutes - 1; m >= 0; m--) {
    const measurements = [];
    for (let i = 0; i < streams; i++) {
      const value = i === 4711 ? 31 : i === 15_000 ? 9 : 18 + Math.sin(m / 4) + ((i * 7919 + m * 31) % 400) / 100;
      measurements.push({ name: "sensor.temperature", time: end - 60 * m, value, tags: { sensor: `s${String(i).padStart(5, "0")}` } });
    }
    for (let i = 0; i < streams; i += most) {
      const { status, body } = await v1(server, "POST", "/measurements", { measurements: measurements.slice(i, i + most) });
      assert.equal(status, 202, JSON.stringify(body));
    }
  }
  return server;
}

const rows = (page) => page.locator("tbody tr");

describe("20,000 streams", () => {
  onServer(startMany);

  test("are a band in Explore, and the two that are apart have names", async () => {
    const { page, problems } = await visit(browser, server);
    const asked = page.waitForResponse((r) => r.url().endsWith("/ui/api/query"));
    await page.goto("/explore?metric=sensor.temperature&from=-30m");
    const answer = await asked;
    assert.equal(answer.request().postDataJSON().queries[0].summarize, 1000);
    // Asked once more, since the browser does not keep what it has read.
    const again = await page.context().request.post(answer.url(), { data: answer.request().postDataJSON() });
    assert.equal(again.status(), 200);
    assert.ok((await again.body()).length < 10_000);
    await settled(page);
    await page.getByText("20,000 streams, 2 of them apart").waitFor();
    await page.getByRole("heading", { name: "2 streams apart" }).waitFor();
    assert.deepEqual((await rows(page).locator("td:first-child").allTextContents()).sort(), ["s04711", "s15000"]);
    const legend = await page.locator("[data-legend]").allTextContents();
    assert.match(legend[0], /^median of 20,000 streams(19|20|21)/);
    assert.match(legend[1], /^s04711\s*31/);
    assert.match(legend[2], /^s15000\s*9/);
    await accessible(page, "20,000 streams");
    // Every stream: those the server sends, in pages.
    await page.getByLabel("Every stream").check();
    await until(() => page.url().includes("streams=all"));
    await page.getByRole("heading", { name: "2,000 lines" }).waitFor();
    await page.getByText("from 20,000 streams").waitFor();
    assert.equal(await rows(page).count(), 25);
    await page.getByLabel("Every stream").uncheck();
    await page.getByRole("heading", { name: "2 streams apart" }).waitFor();
    // Few are drawn as ever.
    await page.goto("/explore?metric=sensor.temperature&from=-30m&tag.sensor=s0471*");
    await page.getByRole("heading", { name: "10 lines" }).waitFor();
    assert.equal(await page.getByLabel("Every stream").count(), 0);
    assert.deepEqual(problems, []);
  });

  test("are a band on the page of the metric, and in a space", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/metrics?name=sensor.temperature&from=-30m");
    await page.getByRole("heading", { name: "2 streams apart" }).waitFor();
    await page.getByRole("button", { name: "draw every stream" }).click();
    await page.getByRole("heading", { name: "2,000 lines" }).waitFor();
    const id = await newSpace(server, "Sensors", { name: "Temperature", streams: [{ metric: "sensor.temperature", group_function: "breakout" }] });
    await page.goto(`/spaces/${id}?from=-30m`);
    await until(async () => (await page.locator("[data-legend]").allTextContents()).length === 3);
    assert.match((await page.locator("[data-legend]").allTextContents()).join(), /^median of 20,000 streams.*s04711.*s15000/);
    assert.deepEqual(problems, []);
  });
});
