// Writing an alert and living with it: the threshold that is dragged, two
// conditions made one, what was told to whom. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { listenTo } from "./others.mjs";
import { until, v1 } from "./server.mjs";
import { now, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("alerts", () => {
  onServer(async () => {
    const server = await startShop();
    // Two hills in the last day, on one host higher than on the other.
    const measurements = [];
    for (let i = 24 * 60; i >= 0; i -= 5) {
      const hill = (at) => Math.max(0, 100 - Math.abs(i - at));
      for (const [host, part] of [["web-01", 1], ["web-02", 0.6]]) measurements.push({ name: "shop.hills", value: 20 + part * (hill(300) + hill(900)), time: now() - i * 60, tags: { host } });
    }
    assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
    return server;
  });

  test("the threshold is dragged, marks follow at once, and the server replays when it is let go", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.hills");
    await page.getByText("Would not have fired in the last 7 days.").first().waitFor(); // a draft starts above the hills
    await page.getByLabel(/^Threshold/).first().fill("110");
    await page.getByLabel("For how long").selectOption({ label: "at once" });
    await page.getByRole("button", { name: "24 h" }).click();
    await page.getByText("Would have fired 2 times in the last 24 hours").first().waitFor();
    const marks = page.locator('[data-fires="true"] i');
    assert.equal(await marks.count(), 2);

    // From here on the server is silent: what happens, happens here.
    let asked = 0;
    await page.route("**/v1/alerts/preview", (route) => {
      asked++;
      return route.continue();
    });
    const grip = page.getByRole("slider", { name: "Threshold" });
    const box = await grip.boundingBox();
    const wide = async () => (await marks.evaluateAll((all) => all.map((m) => parseFloat(m.style.width)))).reduce((a, b) => a + b, 0);
    const before = await wide();
    await page.mouse.move(box.x + 20, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 20, box.y + 100, { steps: 5 });
    await until(async () => Number(await grip.getAttribute("aria-valuenow")) < 80);
    await until(async () => (await wide()) > before);
    await page.mouse.move(box.x + 20, box.y - 300, { steps: 5 });
    await until(async () => (await marks.count()) === 0);
    assert.ok(Number(await grip.getAttribute("aria-valuenow")) > 120, "the axis grows");
    assert.equal(asked, 0, "nothing is asked while dragging");
    await page.mouse.up();
    await page.getByText("Would not have fired in the last 24 hours.").first().waitFor();
    assert.equal(asked, 1);
    await grip.focus();
    const value = Number(await grip.getAttribute("aria-valuenow"));
    await page.keyboard.press("ArrowDown");
    await until(async () => Number(await grip.getAttribute("aria-valuenow")) < value);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("what would have fired is looked at, and another threshold taken", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.hills");
    await page.getByLabel(/^Threshold/).first().fill("110");
    await page.getByRole("button", { name: "24 h" }).click();
    await page.getByText(/Would have fired 2 times/).first().waitFor();
    await page.getByRole("table").getByRole("button").first().click();
    await page.getByRole("button", { name: "Back to 24 h" }).waitFor();
    await page.getByRole("button", { name: "Back to 24 h" }).click();
    const other = page.getByRole("button", { name: /times?$/ }).filter({ hasNotText: "110" }).first();
    const taken = parseFloat(await other.innerText());
    await other.click();
    await until(async () => Number(await page.getByRole("spinbutton", { name: /^Threshold/ }).inputValue()) === taken);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a condition is filtered by keys alone", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.latency");
    const add = page.getByRole("button", { name: "tag", exact: true });
    await add.focus();
    await page.keyboard.press("Enter");
    await page.getByPlaceholder("Find a tag").waitFor();
    await page.keyboard.type("hos");
    await page.getByRole("dialog").getByRole("button", { name: /^host/ }).waitFor();
    await page.keyboard.press("Enter");
    await until(() => page.getByPlaceholder("Find a value of host").evaluate((e) => e === document.activeElement));
    await accessible(page, "the values of a condition's filter");
    await page.keyboard.type("02");
    await page.keyboard.press("Enter");
    await page.getByText("host = web-02", { exact: true }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByLabel("web-01").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("host = web-02 or web-01", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    assert.ok(await add.evaluate((e) => e === document.activeElement), "the focus is back at the button");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("two conditions are tied together by a composite", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.errors");
    await page.getByLabel(/^Threshold/).first().fill("1");
    await page.getByLabel("Evaluated").first().selectOption({ label: "per host" });
    await page.getByRole("button", { name: "Add condition" }).click();
    await page.getByRole("combobox", { name: "Metric" }).last().fill("shop.requests");
    await page.getByRole("option", { name: /shop.requests/ }).click();
    await page.getByLabel(/^Threshold/).nth(1).fill("100");
    await page.getByText("Conditions are evaluated separately").waitFor();
    await page.getByRole("button", { name: "Build one" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText('map({"host"').waitFor();
    await dialog.getByLabel("Name").fill("shop.error.ratio");
    await dialog.getByRole("button", { name: "Save and use it" }).click();
    await dialog.waitFor({ state: "hidden" });
    await until(async () => (await page.getByRole("combobox", { name: "Metric" }).count()) === 1);
    assert.equal(await page.getByRole("combobox", { name: "Metric" }).inputValue(), "shop.error.ratio");
    assert.equal(await page.getByLabel(/^Threshold/).first().inputValue(), "0.01");
    await page.getByText(/Would have fired/).first().waitFor();
    assert.match((await v1(server, "GET", "/metrics/shop.error.ratio")).body.composite, /divide/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Discard changes?").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    assert.match(page.url(), /alerts\/new/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a service is made without leaving the draft, and chosen", async () => {
    const received = [];
    const receiver = await listenTo(received);
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByLabel(/^Threshold/).first().fill("250");
    await page.getByRole("textbox", { name: "Name" }).fill("draft.kept");
    await page.getByText("Nobody is notified. The alert only shows here.").waitFor();
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("No service to send a test to.").waitFor();
    await page.getByRole("button", { name: "Service", exact: true }).click();
    await page.getByRole("menuitem", { name: "New service…" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: "JSON webhook" }).click();
    await drawer.getByLabel("Title").fill("Made here");
    await page.keyboard.press("Control+s"); // of the service, not of the alert under it
    await drawer.getByText("Is required").waitFor();

    // Esc is for the drawer alone: what was written in it, and the draft under it, stay.
    await page.keyboard.press("Escape");
    await page.getByText("Discard changes to the new service?").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await drawer.getByLabel("URL").fill(receiver.url);
    await drawer.getByRole("button", { name: "Add service" }).click();
    await page.getByText("Made here is added.").waitFor();
    await drawer.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Do not notify Made here" }).waitFor();
    assert.equal(await page.getByText("Nobody is notified.").count(), 0);
    assert.match(page.url(), /alerts\/new/);
    assert.equal(await page.getByRole("textbox", { name: "Name" }).inputValue(), "draft.kept");

    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText(/^Made here 200 OK.* in [\d.]+\sm?s$/).waitFor();
    assert.equal(received.length, 1, "the test of a draft arrives");
    await page.keyboard.press("Control+s");
    await page.getByRole("heading", { name: "draft.kept" }).waitFor();
    const { body } = await v1(server, "GET", "/alerts?name=draft.kept");
    assert.deepEqual(body.alerts[0].services.map((s) => s.title), ["Made here"]);
    assert.deepEqual(problems, []);
    await page.close();
    receiver.stop();
  });

  test("what is wrong with a draft is said where it is wrong", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByLabel(/^Threshold/).first().fill("");
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByText("Threshold: is not present").waitFor();
    await page.getByText("Name is missing.", { exact: true }).waitFor();
    await until(() => page.evaluate(() => document.activeElement.ariaLabel === "Threshold in ms"), () => "the first one has no focus");
    await page.getByLabel(/^Threshold/).first().fill("250");
    await page.getByRole("textbox", { name: "Name" }).fill("wrong metric");
    await page.getByRole("combobox", { name: "Metric" }).fill("shop.nothing");
    await until(async () => (await page.locator('[role="option"]').count()) === 0, () => "something matches");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByText("Metric: shop.nothing does not exist").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL(/\/alerts$/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a delivery shows what was sent and what was answered, but no secret", async () => {
    const receiver = await listenTo([], 503, "closed for repair");
    const url = `${receiver.url}/s3cretpath`;
    const gate = (value) => v1(server, "POST", "/measurements", { measurements: [{ name: "shop.gate", value, tags: { host: "a" } }] });
    await gate(1);
    const service = (await v1(server, "POST", "/services", { type: "webhook", title: "Gate", settings: { url } })).body;
    const { body } = await v1(server, "POST", "/alerts", { name: "gate.alert", services: [service.id], conditions: [{ type: "above", metric_name: "shop.gate", threshold: 5 }] });
    assert.ok(body.id, JSON.stringify(body));
    await v1(server, "POST", "/annotations/deploys", { title: "deploy 4.18", start_time: now() - 600 });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${body.id}`);
    await until(
      async () => {
        await gate(9);
        return page.getByText("Retrying").first().isVisible();
      },
      () => "nothing is delivered",
      60_000,
    );
    await page.getByText(/^503, try \d+ of \d+, next in/).first().waitFor();
    await page.getByRole("button", { name: /^deploy 4\.18, / }).waitFor(); // the annotation, on the alert's chart
    await page.getByRole("button", { name: /^Gate Fired/ }).click();
    await page.waitForURL(/delivery=\d+/);
    const drawer = page.getByRole("dialog");
    await drawer.getByText(/503 Service Unavailable: closed for repair/).first().waitFor();
    await drawer.getByText('"gate.alert"').waitFor();
    assert.ok(!(await page.content()).includes("s3cretpath"), "the address is a secret");
    await page.reload();
    await drawer.getByText('"gate.alert"').waitFor(); // it has an address of its own
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "hidden" });

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByText("Its incidents and deliveries go with it. This cannot be undone.").waitFor();
    await page.getByRole("button", { name: "Delete alert" }).click();
    await page.waitForURL(/\/alerts$/);
    assert.equal((await v1(server, "GET", `/alerts/${body.id}`)).status, 404);
    assert.deepEqual(problems, []);
    await page.close();
    receiver.stop();
  });
});

describe("the list of alerts", () => {
  onServer();
  const names = Array.from({ length: 7 }, (_, i) => `seven.${i + 1}`);

  test("without alerts, the busiest metrics are where to begin", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts");
    await page.getByText("No alerts yet. Start from a metric you already watch.").waitFor();
    await page.getByRole("link", { name: /shop.requests 2 streams/ }).click();
    await page.waitForURL(/\/alerts\/new\?metric=shop\.requests/);
    assert.equal(await page.getByRole("combobox", { name: "Metric" }).inputValue(), "shop.requests");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("nothing fires, then more than six do and are rows; late evaluation says so", async () => {
    for (const name of names) {
      const conditions = [{ type: "above", metric_name: "shop.latency", threshold: 1000 }];
      assert.equal((await v1(server, "POST", "/alerts", { name, conditions })).status, 201);
    }
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts?state=firing");
    await page.getByText("Nothing is firing.").waitFor();
    await page.getByText("Nothing has fired yet.").waitFor();
    const high = () => v1(server, "POST", "/measurements", { measurements: [{ name: "shop.latency", value: 5000, tags: { host: "web-01" } }] });
    await until(
      async () => {
        await high();
        return page.getByRole("button", { name: "Firing 7" }).isVisible();
      },
      () => "seven do not fire",
      60_000,
    );
    assert.equal(await page.getByRole("row", { name: /firing, 1 min/ }).count(), 7);
    assert.equal(await page.getByRole("button", { name: "Resolve" }).count(), 0, "no cards");
    await page.getByRole("button", { name: "Actions for seven.7" }).click();
    await page.getByRole("menuitem", { name: "Snooze 1 hour" }).click();
    await page.getByText(/seven.7 is snoozed until .*\. Nobody is notified\./).waitFor();
    await until(async () => (await page.getByRole("button", { name: "Resolve" }).count()) === 6, () => "six are not cards");
    await page.getByText(/^Evaluated \d+ s ago, on time$/).waitFor();
    await page.route(/\/ui\/api\/alerts(\?|$)/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), late: 180 } });
    });
    await page.reload();
    await page.getByText("Evaluation is 3 min late.").waitFor();
    await page.unrouteAll({ behavior: "ignoreErrors" }); // the page may be asking again
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the strip is grey where there was nothing to evaluate", async () => {
    const { page, problems } = await visit(browser, server);
    await v1(server, "POST", "/alerts", { name: "never.measured", conditions: [{ type: "above", metric_name: "shop.latency", threshold: 5, tags: [{ name: "host", values: ["web-99"] }] }] });
    await page.goto("/alerts?q=never.measured");
    const strip = page.getByRole("row").getByRole("img", { name: "did not fire in 24 hours; nothing to evaluate for 24 hours" }).first();
    await strip.waitFor();
    assert.equal(await strip.locator('i[data-kind="unjudged"]').count(), 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an incident is acknowledged with a comment, and commented on", async () => {
    const { body } = await v1(server, "GET", "/alerts?name=seven.2");
    const { id } = body.alerts[0];
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${id}`);
    await page.getByRole("textbox", { name: "Comment" }).fill("on it");
    await page.getByRole("button", { name: "Acknowledge with comment" }).click();
    await page.getByText(/^Acknowledged by owner@example\.org, .*\. Nobody is reminded of it\.$/).waitFor();
    await page.getByText(/\. Acknowledged by owner@example\.org, /).waitFor();
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("on it", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Comment" }).fill("the disk is full");
    await page.getByRole("button", { name: "Add comment" }).click();
    await timeline.locator("li").getByText("the disk is full").waitFor();
    const { body: incidents } = await v1(server, "GET", `/alerts/${id}/incidents`);
    assert.deepEqual(incidents.incidents[0].notes.map((n) => [n.kind, n.text]), [["acknowledged", "on it"], ["comment", "the disk is full"]]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("resolving what still violates offers to snooze; the band says who did", async () => {
    const { body } = await v1(server, "GET", "/alerts?name=seven.1");
    const { id } = body.alerts[0];
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${id}`);
    await page.getByText(/^since .* because shop.latency was above 1,000.ms on 1 of 2 streams$/).waitFor();
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByText("Still violating. It fires again with the next such measurement.").waitFor();
    await page.getByRole("button", { name: "Snooze instead" }).click();
    await page.getByText(/Snoozed until .* by owner@example.org\. Nobody is notified\./).first().waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText(/Firing for/).waitFor();
    await page.getByRole("button", { name: "Snooze" }).click();
    for (const words of ["1 hour", "4 hours", "Until 9:00 tomorrow", "Until I resume"]) await page.getByRole("menuitem", { name: words, exact: true }).waitFor();
    await page.keyboard.press("Escape");

    await page.keyboard.press("e");
    await page.waitForURL(/\/edit$/);
    await page.getByRole("textbox", { name: "Name" }).fill("seven.one");
    assert.equal(await page.getByText("Saving resets this alert’s state").count(), 0, "a name resets nothing");
    await page.getByLabel(/^Threshold/).first().fill("2000");
    await page.getByText("Saving resets this alert’s state; the current incident ends silently.").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("button", { name: "Resolve" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resolve" }).click();
    await page.getByText("resolved by owner@example.org").first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });
});
