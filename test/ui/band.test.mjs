// An alert on what is usual, built on the chart: the band is drawn, the past is
// replayed against it, and what is saved is what was shown. Run by node --test
// test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { v1 } from "./server.mjs";
import { now, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const day = 86_400;

describe("an alert on what is usual", () => {
  onServer(async () => {
    const server = await startShop();
    // Orders follow the hour of the day for three weeks, and fail for two hours
    // in the last day.
    const start = now() - (now() % 600) - 21 * day;
    let measurements = [];
    for (let t = start; t <= now(); t += 600) {
      const usual = 500 + 300 * Math.sin(((t % day) / day) * 2 * Math.PI) + ((t / 600) % 7);
      const ago = now() - t;
      const value = ago > 6 * 3600 && ago < 8 * 3600 ? usual / 3 : usual;
      measurements.push({ name: "shop.orders", value, time: t });
      if (measurements.length === 1000 || t + 600 > now()) {
        assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
        measurements = [];
      }
    }
    return server;
  });

  test("the band is drawn, replayed and saved", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.orders");
    await page.getByLabel("Condition").selectOption({ label: "falls below its usual band" });
    await page.getByText("Usual is the median of the same hour").waitFor();
    await page.getByLabel("At least", { exact: false }).fill("50");
    await page.getByLabel("For how long").selectOption({ label: "10 min" });
    await page.getByText(/Would have fired once in the last 7 days/).first().waitFor();
    await page.getByText("The band of each day was learned only from the days before it.").first().waitFor();
    await page.getByText("Other widths").waitFor();
    await page.getByText("grey: what it is compared with").waitFor();
    assert.equal(await page.getByRole("slider", { name: "Threshold" }).count(), 0, "there is no line to drag");
    for (const name of ["Lowest", "Usual then", "Known as"]) {
      await page.getByRole("columnheader", { name, exact: true }).waitFor();
    }
    await page.getByRole("cell", { name: "no alert saw it" }).waitFor();
    await page.getByText(/^A fixed threshold that catches it, [\d.,]+, would have fired (once|\d+ times)\.$/).waitFor();

    // The edge of the band is dragged, and moved by keys; the number follows both.
    const edge = page.getByRole("slider", { name: "Width of the band, lower edge" });
    const width = page.getByLabel("Threshold", { exact: true });
    const box = await edge.boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 40, { steps: 4 });
    await page.mouse.up();
    const dragged = Number(await width.inputValue());
    assert.ok(dragged > 3, `dragged out to ${dragged}`);
    await edge.focus();
    await page.keyboard.press("ArrowDown");
    assert.equal(Number(await width.inputValue()), Math.round(10 * dragged - 1) / 10);
    await page.keyboard.press("ArrowUp");
    assert.equal(Number(await width.inputValue()), dragged);
    await width.fill("3");
    await page.getByText(/Would have fired once in the last 7 days/).first().waitFor();

    // A day is marked as people write it, and taken back; what is no day says so.
    await page.getByRole("button", { name: "Mark days" }).click();
    const unusual = page.getByLabel("Unusual day");
    await unusual.fill("soon");
    await unusual.press("Enter");
    await page.getByText(/^This is not a date\. Write /).waitFor();
    for (const day of ["2026-11-01", "2026-11-02"]) {
      await unusual.fill(day);
      await unusual.press("Enter");
      await page.waitForFunction(() => document.activeElement?.value === "");
    }
    await page.getByRole("button", { name: /^Learn from (2 Nov|Nov 2)/ }).click();
    await page.getByRole("button", { name: /^Learn from (2 Nov|Nov 2)/ }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /^Learn from / }).count(), 1);
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT });
    await page.getByLabel("Name", { exact: true }).fill("orders.unusual");
    await page.getByRole("button", { name: /Save alert/ }).click();
    await page.waitForURL(/\/alerts\/\d+$/);
    await page.getByText("falls below its usual band").first().waitFor();
    const { body } = await v1(server, "GET", "/alerts?name=orders.unusual");
    const [condition] = body.alerts[0].conditions;
    assert.equal(condition.type, "below");
    assert.deepEqual(condition.against, {
      kind: "band",
      weeks: 6,
      by: "hour_of_week",
      least: 50,
      unusual_days: ["2026-11-01"],
      zone: condition.against.zone,
    });
    assert.deepEqual(problems, []);
    await page.close();
  });
});
