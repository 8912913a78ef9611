// Working with incidents: who is notified when nobody answers, what happened,
// and several alerts at once. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { listenTo } from "./others.mjs";
import { openPage, signIn, until, v1 } from "./server.mjs";
import { phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const service = async (title, url) =>
  (await v1(server, "POST", "/services", { type: "webhook_json", title, settings: { url } })).body;

/** An alert on a metric of its own, which has its name: its id. */
async function alert(name, more = {}) {
  await send(name, 1);
  const { status, body } = await v1(server, "POST", "/alerts", {
    name,
    conditions: [{ type: "above", metric_name: name, threshold: 5 }],
    ...more,
  });
  assert.equal(status, 201, JSON.stringify(body));
  return body.id;
}

const send = (name, value) =>
  v1(server, "POST", "/measurements", { measurements: [{ name, value, tags: { host: "a" } }] });

const isFiring = async (id) =>
  (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents.some((i) => i.cleared_at === null);

/** Sends what violates until the alert fires. */
const fire = (name, id) =>
  until(
    async () => (await send(name, 9)) && (await isFiring(id)),
    () => `${name} does not fire`,
    60_000,
  );

describe("an incident", () => {
  const received = [];
  let receiver;
  onServer();
  before(async () => {
    receiver = await listenTo(received);
    await service("#ops", receiver.url);
    await service("On-call", receiver.url);
  });
  after(() => receiver.stop());

  test("severity, labels and escalation are set in the editor and seen on the alert's page", async () => {
    await send("shop.queue", 1);
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts/new?metric=shop.queue");
    await page.getByRole("heading", { name: "New alert" }).waitFor();
    await page
      .getByLabel(/^Threshold/)
      .first()
      .fill("5");
    await page.getByLabel("For how long").selectOption({ label: "at once" });
    await page.getByRole("textbox", { name: "Name" }).fill("queue.long");
    await page.getByRole("button", { name: "Service", exact: true }).click();
    await page.getByRole("menuitem", { name: /#ops/ }).click();
    await page.getByLabel("Severity").selectOption({ label: "Critical" });

    // A label says what is wrong with it when the field is left, and nothing is saved before it is right.
    const labels = page.getByRole("combobox", { name: "Labels" });
    await labels.fill("team");
    await page.keyboard.press("Enter");
    await page.getByText("Value of team is missing. Write team=value.").waitFor();
    await page.getByRole("button", { name: "Save alert" }).click();
    assert.match(page.url(), /alerts\/new/);
    await labels.fill("team=checkout");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Remove team=checkout" }).waitFor();

    // So does a step of the escalation.
    await page.getByRole("button", { name: "Add step" }).click();
    const after = page.getByLabel("Not acknowledged after");
    await after.fill("0");
    await after.blur();
    await page.getByText("After must be between 1 and 10,080 minutes.").waitFor();
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByText("Whom to notify is missing. Choose a service.").waitFor();
    await after.fill("30");
    await page.getByRole("button", { name: "Service for step 1" }).click();
    await page.getByRole("menuitem", { name: /On-call/ }).click();
    await page.getByRole("button", { name: "Do not notify On-call in step 1" }).waitFor();
    await page.keyboard.press("Control+s");

    await page.waitForURL(/\/alerts\/\d+$/);
    await page.getByRole("heading", { name: "queue.long", level: 1 }).waitFor();
    await page.getByText("Critical", { exact: true }).waitFor();
    await page.getByText("team=checkout", { exact: true }).waitFor();
    const escalation = page.getByRole("region", { name: "Escalation" });
    await escalation.getByText("Step 1, after 30 min").waitFor();
    await escalation.getByText("On-call").waitFor();
    const { body } = await v1(server, "GET", "/alerts?name=queue.long");
    assert.equal(body.alerts[0].severity, "critical");
    assert.deepEqual(body.alerts[0].labels, { team: "checkout" });
    assert.equal(body.alerts[0].escalation[0].after_seconds, 1800);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an acknowledgement made without a connection waits, and is sent afterwards", async () => {
    const id = await alert("shop.cellar", { severity: "critical" });
    await fire("shop.cellar", id);
    const { page, context } = await visit(browser, server, phone);
    await page.goto(`/alerts/${id}`);
    const button = page.getByRole("button", { name: "Acknowledge", exact: true });
    await button.waitFor();
    await context.setOffline(true);
    await button.click();
    await page.getByText("No connection. It is acknowledged as soon as you are back.").waitFor();
    await page.getByRole("button", { name: "Waiting" }).waitFor();
    const notes = async () =>
      (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents[0].notes?.map((n) => [n.kind, n.by]);
    assert.equal(await notes(), undefined);
    await context.setOffline(false);
    await page.getByText("shop.cellar is acknowledged.").waitFor({ timeout: 30_000 });
    await page.getByText(/Firing for .*, acknowledged/).waitFor({ timeout: 30_000 });
    assert.deepEqual(await notes(), [["acknowledged", "user:owner@example.org"]]);
    assert.equal(await page.evaluate(() => localStorage.getItem("waiting acknowledgements")), null);
    await context.close();
  });

  test("who is next is counted down; acknowledged by a key, taken back, and told in the timeline", async () => {
    const services = (await v1(server, "GET", "/services")).body.services;
    const [ops, oncall] = ["#ops", "On-call"].map((title) => services.find((s) => s.title === title).id);
    const id = await alert("shop.oven", {
      severity: "critical",
      services: [ops],
      escalation: [{ after_seconds: 1800, services: [oncall] }],
    });
    const deployed = { title: "deploy oven 4.18.1", start_time: Math.floor(Date.now() / 1000) - 300 };
    assert.equal((await v1(server, "POST", "/annotations/deploys", deployed)).status, 201);
    await fire("shop.oven", id);
    const fired = (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents[0].triggered_at;
    await until(() => Date.now() / 1000 >= fired + 1, () => "the clock stands still");
    await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.oven", value: 12, tags: { host: "b" } }] });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${id}`);
    await page.getByText(/Firing for \d+ min/).waitFor();
    const escalation = page.getByRole("region", { name: "Escalation" });
    await escalation
      .getByText(/^Nobody has acknowledged\. On-call is notified in \d+ min/)
      .waitFor({ timeout: 30_000 });
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("Fired", { exact: true }).waitFor();
    await timeline.getByRole("button", { name: "Notified #ops" }).waitFor({ timeout: 30_000 });
    await timeline.getByText(/^Delivered, 200 OK/).waitFor({ timeout: 30_000 });
    await timeline.locator('li[data-kind="annotation"]').getByText("deploy oven 4.18.1").waitFor();

    // The worst stream is first, by the tag that differs, and the one that came later says so.
    const streams = page.getByRole("region", { name: "Violating streams" });
    await streams.getByText("joined later").waitFor({ timeout: 120_000 }); // what joins is saved once a minute
    assert.deepEqual(await streams.getByRole("columnheader").allInnerTexts(), ["host", "Now", "Peak", "Over since", "For"]);
    assert.match(await streams.locator("tbody tr").first().innerText(), /^b\s+joined later\s+12/);
    if (process.env.SCREENSHOT) await page.screenshot({ path: process.env.SCREENSHOT, fullPage: true });
    assert.match(await streams.locator("tbody tr").last().innerText(), /^a\s+9/);

    await page.keyboard.press("a");
    await page
      .getByText(/^Acknowledged by owner@example\.org, \d\d:\d\d\. Escalation stops, and nobody is reminded\.$/)
      .waitFor();
    await page.getByText(/Firing for .*, acknowledged/).waitFor();
    await timeline.getByText("owner@example.org acknowledged").waitFor();
    await escalation.getByText(/^Acknowledged by owner@example\.org, .* Escalation stopped\.$/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await timeline.getByText("owner@example.org took the acknowledgement back").waitFor();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
    await page.getByText(/^Acknowledged by owner@example\.org, \d\d:\d\d\. Escalation stops/).waitFor(); // though the button is gone
    await escalation.getByText(/Escalation stopped\.$/).waitFor();

    await page.keyboard.press("m");
    await page.keyboard.type("the door stands open");
    await page.keyboard.press("Control+Enter");
    await timeline.locator("li").getByText("the door stands open").waitFor();
    await page.getByRole("button", { name: "Notifications", exact: true }).click();
    await timeline.locator("li").getByText("the door stands open").waitFor({ state: "detached" });
    await timeline.getByRole("button", { name: "Notified #ops" }).click();
    await page.getByRole("dialog").getByText('"shop.oven"').first().waitFor(); // what was sent
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    // After it the page is the record, and has an address for each incident.
    await v1(server, "POST", `/alerts/${id}/clear`);
    await page.getByRole("button", { name: "All", exact: true }).click();
    await timeline
      .getByText(/^Cleared \d\d:\d\d after \d+ min\. Acknowledged after \d+ min\.$/)
      .waitFor({ timeout: 30_000 });
    const { body } = await v1(server, "GET", `/alerts/${id}/incidents`);
    await page.goto(`/alerts/${id}?incident=${body.incidents[0].id}`);
    await timeline.locator("li").getByText("the door stands open").waitFor();
    await page.getByRole("region", { name: "Streams that took part" }).getByText("joined later").waitFor();
    const changes = page.getByRole("region", { name: "History" });
    await changes.getByRole("button", { name: "Older" }).click();
    await changes.getByText("made the alert").waitFor();
    assert.deepEqual(
      body.incidents[0].notes.map((n) => n.kind),
      ["acknowledged", "reopened", "acknowledged", "comment"],
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a comment takes nothing on; viewers comment, too, and everybody changes their own", async () => {
    const id = await alert("shop.grill");
    await fire("shop.grill", id);
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    const said = timeline.locator('li[data-kind="comment"]');
    await timeline.getByLabel("Comment", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add comment" }).click();
    await timeline.getByText("Comment is missing.").waitFor();
    await page.getByRole("heading", { name: "Timeline" }).click(); // the focus is elsewhere
    await page.keyboard.press("m");
    await page.keyboard.type("the coals are wet");
    await page.getByRole("button", { name: "Add comment" }).click();
    await said.getByText("the coals are wet").waitFor();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).waitFor(); // still nobody has
    await said.getByRole("button", { name: "Edit" }).click();
    await said.getByLabel("Your comment").fill("the coals are damp");
    await accessible(page, "a comment being changed");
    await page.keyboard.press("Control+Enter");
    await said.getByText("the coals are damp").waitFor();
    await said.getByText("(edited)").waitFor();
    assert.equal(await said.getByText("wet").count(), 0);
    const { body } = await v1(server, "GET", `/alerts/${id}/incidents`);
    assert.deepEqual(
      body.incidents[0].notes.map((n) => [n.kind, n.text]),
      [["comment", "the coals are damp"]],
    );

    const who = { email: "viewer@example.org", password: "look do not touch" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const viewer = await openPage(browser, server);
    await signIn(viewer.context, who);
    await viewer.page.goto(`/alerts/${id}`);
    await viewer.page.getByText("You can look, not change.").waitFor();
    await viewer.page.getByLabel("Comment", { exact: true }).fill("so I see");
    await viewer.page.getByRole("button", { name: "Add comment" }).click();
    await said.getByText("so I see").waitFor({ timeout: 30_000 }); // the owner reads it
    assert.equal(await said.getByRole("button", { name: "Edit" }).count(), 1, "only one's own");
    assert.equal(await viewer.page.getByRole("button", { name: "Edit", exact: true }).count(), 1);
    assert.equal(await viewer.page.getByRole("button", { name: "Acknowledge" }).count(), 0);

    await v1(server, "POST", `/alerts/${id}/clear`);
    await page.getByRole("button", { name: "Write a note" }).waitFor({ timeout: 30_000 });
    await page.getByLabel("Comment", { exact: true }).fill("a new bag helped");
    await page.getByRole("button", { name: "Write a note" }).click();
    await said.getByText("a new bag helped").waitFor();
    assert.deepEqual([...problems, ...viewer.problems], []);
    await viewer.context.close();
    await page.close();
  });

  test("on a phone, Acknowledge is the first and largest thing, with who is next below it", async () => {
    const services = (await v1(server, "GET", "/services")).body.services;
    const id = await alert("shop.stove", {
      severity: "warning",
      services: [services[0].id],
      labels: { team: "kitchen" },
    });
    await fire("shop.stove", id);
    const { page, problems } = await visit(browser, server, phone);
    await page.goto(`/alerts/${id}`);
    const button = page.getByRole("button", { name: "Acknowledge", exact: true });
    await button.waitFor();
    await page.getByText("Nobody has acknowledged.").first().waitFor();
    await settled(page);
    const box = await button.boundingBox();
    assert.ok(
      box.height >= 50 && box.width > 300 && box.y + box.height < 400,
      `at ${box.y}, ${box.width} by ${box.height}`,
    );
    for (const scheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme: scheme });
      await accessible(page, `an incident (phone, ${scheme})`);
    }
    await page.goto("/alerts");
    await page.getByRole("link", { name: "shop.stove" }).waitFor();
    await page.getByText("Warning", { exact: true }).waitFor();
    await v1(server, "POST", `/alerts/${id}/acknowledge`, { text: "" });
    await page.reload();
    await page
      .getByRole("row", { name: /shop\.stove/ })
      .getByText(/^Acknowledged by /)
      .waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(problems, []);
    await page.close();
  });
});

describe("several alerts", () => {
  onServer();
  const ids = {};
  before(async () => {
    ids.fires = await alert("bulk.fires", { severity: "critical", labels: { team: "checkout" } });
    ids.one = await alert("bulk.one", { severity: "warning", labels: { team: "checkout", tier: "1" } });
    ids.two = await alert("bulk.two", { labels: { team: "search" } });
    ids.three = await alert("bulk.three");
    await fire("bulk.fires", ids.fires);
  });

  const one = async (id) => (await v1(server, "GET", `/alerts/${id}`)).body;
  const rows = (page) => page.getByRole("table").getByRole("link").allInnerTexts();

  test("filters are in the address, and come back with it", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts");
    await page.getByRole("button", { name: "All 4" }).waitFor();
    await page.getByRole("button", { name: "Label", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: /^team=checkout/ }).click();
    await page.waitForURL(/\/alerts\?label=team%3Dcheckout$/);
    await page.getByRole("button", { name: "All 2" }).waitFor();
    await page.getByRole("button", { name: "Label", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: /^team=search/ }).click();
    await page.getByRole("button", { name: "Remove filter team is any of 2" }).waitFor();
    await page.getByRole("button", { name: "Severity", exact: true }).click();
    await page.getByRole("menuitem", { name: "Warning" }).click();
    await page.waitForURL(/severity=warning/);
    await until(
      async () => String(await rows(page)) === "bulk.one",
      async () => `rows: ${await rows(page)}`,
    );

    await page.reload();
    await page.getByRole("button", { name: "All 1" }).waitFor();
    assert.deepEqual(await rows(page), ["bulk.one"]);
    await page.goto("/alerts?severity=none&state=firing");
    await page.getByText("No alert passes these filters.").waitFor();
    await page.getByRole("button", { name: "Remove filters" }).click();
    await page.getByRole("button", { name: "All 4" }).waitFor();
    await page.getByLabel("Name, metric, tag or label").fill("tier=1");
    await until(
      async () => String(await rows(page)) === "bulk.one",
      async () => `rows: ${await rows(page)}`,
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a view is saved for oneself and for everyone, shown again, and deleted with a way back", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts?q=bulk.");
    await page.getByRole("link", { name: "bulk.three" }).waitFor();
    await page.goto("/alerts?q=bulk.&label=team%3Dcheckout&state=ok");
    await page.getByRole("button", { name: "Save view" }).click();
    const form = page.getByRole("dialog", { name: "Save view" });
    await form.getByLabel("Name").fill("Quiet ones");
    await form.getByRole("button", { name: "Save view" }).click();
    const mine = page.getByRole("button", { name: "View Quiet ones, only for you" });
    await mine.waitFor();
    await page.getByRole("button", { name: "Save view" }).waitFor({ state: "detached" });

    await page.goto("/alerts?severity=warning");
    await page.getByRole("button", { name: "Save view" }).click();
    await form.getByLabel("Name").fill("Warnings");
    await form.getByLabel("Everyone in Example Shop").check();
    await form.getByRole("button", { name: "Save view" }).click();
    await page.getByRole("button", { name: "View Warnings, for everyone" }).waitFor();
    await page.goto("/alerts?state=inactive");
    await page.getByRole("button", { name: "Save view" }).click();
    await form.getByLabel("Name").fill("quiet ones");
    await form.getByRole("button", { name: "Save view" }).click();
    await form.getByText("There is already one with this name.").waitFor();
    await page.keyboard.press("Escape");

    const who = { email: "looks@example.org", password: "look do not touch" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const viewer = await openPage(browser, server);
    await signIn(viewer.context, who);
    await viewer.page.goto("/alerts");
    await viewer.page.getByRole("button", { name: "Warnings" }).click();
    await until(async () => String(await rows(viewer.page)) === "bulk.one", () => "a viewer does not see the view");
    assert.equal(await viewer.page.getByRole("button", { name: "Quiet ones" }).count(), 0, "another's view is seen");
    await viewer.context.close();

    await page.getByRole("button", { name: "Quiet ones", exact: true }).click();
    await page.waitForURL(/label=team%3Dcheckout/);
    await until(async () => String(await rows(page)) === "bulk.one", () => "the view does not narrow the list");
    await mine.click();
    await page.getByRole("menuitem", { name: "Delete view" }).click();
    await page.getByText("The view Quiet ones is deleted.").waitFor();
    await mine.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await mine.click();
    await page.getByRole("menuitem", { name: "Show all alerts" }).click();
    await page.waitForURL((url) => !url.search.includes("label"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the alert with the focus is acknowledged and snoozed by keys", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts?q=bulk.");
    await page.getByRole("link", { name: "bulk.fires" }).focus();
    await page.keyboard.press("a");
    await page.getByText(/^Acknowledged by owner@example\.org, /).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Acknowledge", exact: true }).waitFor();
    await page.getByRole("link", { name: "bulk.two" }).focus();
    await page.keyboard.press("s");
    await page.getByText(/^bulk\.two is snoozed until .*\. Nobody is notified\.$/).waitFor();
    const snoozed = page.getByRole("row", { name: /bulk\.two Snoozed/ });
    await snoozed.waitFor();
    await page.getByRole("link", { name: "bulk.two" }).focus();
    await page.keyboard.press("s");
    await snoozed.waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("selected by box, key and Shift, snoozed, and brought back", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts");
    await page.getByRole("checkbox", { name: "Select bulk.fires" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Resolve" }).count(), 1, "what fires is a card");
    await page.getByRole("link", { name: "bulk.fires" }).focus();
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    assert.equal(await page.getByRole("button", { name: "Resolve" }).count(), 0, "with a selection all are rows");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "bulk.fires", "the focus goes along");
    const order = await rows(page);
    assert.equal(order[0], "bulk.fires");
    await page.getByRole("checkbox", { name: `Select ${order[3]}` }).click({ modifiers: ["Shift"] });
    await page.getByText("4 selected").waitFor();
    await page.getByRole("checkbox", { name: "Select bulk.three" }).click();
    await page.getByText("3 selected").waitFor();
    await accessible(page, "a selection of alerts");

    const bar = page.getByRole("toolbar", { name: "Selected alerts" });
    await bar.getByRole("button", { name: "Acknowledge 1" }).waitFor();
    await bar.getByRole("button", { name: "Snooze" }).click();
    await page.getByRole("menuitem", { name: "1 hour" }).click();
    await page.getByText(/^3 alerts snoozed until .*\.$/).waitFor();
    await page.getByRole("button", { name: "Snoozed 3" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Snoozed 0" }).waitFor();
    await page.getByRole("button", { name: "Firing 1" }).waitFor();

    await bar.getByRole("button", { name: "Severity" }).click();
    await page.getByRole("menuitem", { name: "Info" }).click();
    await page.getByText("Severity of 3 alerts: Info.").waitFor();
    assert.deepEqual([(await one(ids.fires)).severity, (await one(ids.two)).severity], ["info", "info"]);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(
      async () => (await one(ids.fires)).severity === "critical" && (await one(ids.two)).severity === undefined,
      () => "severities are not as they were",
    );

    await bar.getByRole("button", { name: "Labels" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Remove tier" }).click();
    await dialog.getByRole("combobox", { name: "Add" }).fill("area=shop");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("Labels of 3 alerts changed.").waitFor();
    assert.deepEqual((await one(ids.one)).labels, { team: "checkout", area: "shop" });
    await page.getByRole("button", { name: "Undo" }).click();
    await until(
      async () => JSON.stringify((await one(ids.one)).labels) === '{"team":"checkout","tier":"1"}',
      () => "labels are not as they were",
    );

    await page.keyboard.press("Escape");
    await page.getByText("3 selected").waitFor({ state: "detached" });
    await page.getByRole("checkbox", { name: "Select bulk.two" }).click();
    await bar.getByRole("button", { name: "Maintenance…" }).click();
    await page.waitForURL(/\/maintenance$/);
    await page.getByText("bulk.two").first().waitFor(); // a window for it begins to be made
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("what cannot be changed is named, and the rest is", async () => {
    const gone = await alert("bulk.gone");
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts?q=bulk.");
    await page.getByRole("checkbox", { name: "Select bulk.gone" }).click();
    await page.getByRole("checkbox", { name: "Select bulk.two" }).click();
    await v1(server, "DELETE", `/alerts/${gone}`);
    await page.getByRole("button", { name: "Set Inactive" }).click();
    await page.getByText(/^1 of 2 changed\. 1 stays as it was: .+\.$/).waitFor();
    assert.equal((await one(ids.two)).active, false);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(
      async () => (await one(ids.two)).active,
      () => "it stays off",
    );
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an alert is duplicated from its row, switched off and open to be changed", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts");
    await page.getByRole("button", { name: "Actions for bulk.one" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.waitForURL(/\/alerts\/\d+\/edit$/);
    await page.getByRole("heading", { name: "bulk.one copy" }).waitFor();
    await page.getByText("bulk.one copy is made. It is Inactive until you set it Active.").waitFor();
    const { body } = await v1(server, "GET", "/alerts?name=bulk.one+copy");
    assert.deepEqual([body.alerts[0].active, body.alerts[0].labels], [false, { team: "checkout", tier: "1" }]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("maintenance under way and late evaluation are notices; the worse one is shown", async () => {
    const now = Math.floor(Date.now() / 1000);
    const made = await v1(server, "POST", "/maintenance", {
      name: "Database upgrade",
      starts_at: now - 60,
      ends_at: now + 3600,
      covers: { labels: { tier: "1" } },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { page, problems } = await visit(browser, server);
    await page.goto("/alerts");
    await page
      .getByText(/^Database upgrade is under way until .*\. 1 alert is evaluated but notifies nobody; it is quiet\.$/)
      .waitFor();
    await accessible(page, "alerts in maintenance");
    await page.getByRole("button", { name: "Show it" }).click();
    await page.waitForURL(/maintenance=\d+/);
    await until(
      async () => String(await rows(page)) === "bulk.one",
      async () => `rows: ${await rows(page)}`,
    );
    await page.getByText("In maintenance", { exact: true }).last().waitFor();
    await page.getByRole("button", { name: "Extend by 1 h" }).click();
    await page.getByText(/^Database upgrade goes on until /).waitFor();
    assert.equal((await v1(server, "GET", `/maintenance/${made.body.id}`)).body.ends_at, now + 7200);

    await page.route(/\/ui\/api\/alerts(\?|$)/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), late: 180 } });
    });
    await page.reload();
    await page.getByText("Evaluation is 3 min late.").waitFor();
    assert.equal(await page.getByText("is under way").count(), 0);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.reload();
    await page.getByRole("button", { name: "End now" }).click();
    await page.getByText("Database upgrade is over. What still fires is notified.").waitFor();
    await page.getByText("is under way").waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    await page.close();
  });
});
