// Pictures of a space by mail and chat: scheduled, sent at once, paused, changed
// and deleted, with what went wrong. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { accessibleInBoth } from "./axe.mjs";
import { listenTo, startMail } from "./others.mjs";
import { until, v1 } from "./server.mjs";
import { newSpace, phone, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

async function newService(type, title, settings) {
  const made = await v1(server, "POST", "/services", { type, title, settings });
  assert.equal(made.status, 201, JSON.stringify(made));
  return made.body.id;
}

const isPicture = (png, least) => {
  assert.equal(png.subarray(0, 8).toString("latin1"), "\x89PNG\r\n\x1a\n");
  assert.equal(png.readUInt32BE(16), 1920); // as wide as every picture of a space
  assert.ok(png.readUInt32BE(20) >= least, `${png.readUInt32BE(20)} pixels high`);
};

const open = async (page) => {
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  await page.getByRole("menuitem", { name: "Send pictures…" }).click();
  return page.getByRole("dialog");
};

const latency = { name: "Latency", streams: [{ metric: "shop.latency", tags: [{ name: "host", grouped: true }] }] };

describe("pictures of a space", () => {
  let mail;
  onServer(async () => {
    mail = await startMail();
    return startShop({ TIDEMARK_SMTP_HOST: "127.0.0.1", TIDEMARK_SMTP_PORT: String(mail.port), TIDEMARK_SMTP_TLS: "none", TIDEMARK_SMTP_FROM: "alerts@example.org" });
  });
  after(() => mail?.stop());

  test("one is scheduled, goes by mail and to a webhook at once, is paused and deleted", async () => {
    const received = [];
    const hook = await listenTo(received);
    await newService("mail", "Office", { addresses: "ann@example.org" });
    await newService("webhook_json", "Archive", { url: hook.url });
    await newService("pagerduty", "Pager", { service_key: "k", event_type: "trigger", description: "d" });
    const space = await newSpace(server, "Orders", latency, { name: "Requests", type: "stacked", streams: [{ metric: "shop.requests" }] }, { name: "Errors", type: "bignumber", streams: [{ metric: "shop.errors" }] });
    const { page, context, problems } = await visit(browser, server);
    await page.goto(`/spaces/${space}`);
    await settled(page);
    const dialog = await open(page);
    await dialog.getByText("goes to mail or chat by a schedule").waitFor();
    await dialog.getByRole("button", { name: "Schedule a picture" }).click();
    await dialog.getByLabel("At", { exact: true }).fill("");
    await dialog.getByRole("button", { name: "Save" }).click();
    for (const said of ["Name is missing.", "Time must be", "Services must have a service."]) await dialog.getByText(said).waitFor();
    assert.equal(await dialog.getByLabel("Pager").count(), 0, "a pager shows no pictures");
    await dialog.getByLabel("Name").fill("Every Monday");
    await dialog.getByLabel("Sent", { exact: true }).selectOption({ label: "Every week" });
    await dialog.getByLabel("On", { exact: true }).selectOption({ label: "Tuesday" });
    await dialog.getByLabel("At", { exact: true }).fill("08:30");
    await dialog.getByLabel("Time zone").fill("Europe/Atlantis");
    await dialog.getByLabel("Shows").selectOption({ label: "Last hour" });
    await dialog.getByLabel("Office").check();
    await dialog.getByLabel("Archive").check();
    await accessibleInBoth(page, "the form");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Time zone must be the name of a time zone").waitFor();
    await dialog.getByLabel("Time zone").fill("Europe/Berlin");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Last hour, every Tuesday at 08:30").waitFor();
    await dialog.getByText("Never sent.").waitFor();

    await dialog.getByRole("button", { name: "Send now: Every Monday" }).click();
    const letter = await until(() => mail.mails.find((m) => m.includes("Every Monday")), () => `no mail:\n${server.log()}`, 30_000);
    assert.match(letter, /Subject: \[Tidemark\] Every Monday: Orders/);
    assert.match(letter, /cid:chart@tidemark/);
    const [, attached] = /Content-Type: image\/png[\s\S]*?\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)/.exec(letter);
    isPicture(Buffer.from(attached, "base64"), 500);

    const told = JSON.parse(await until(() => received[0], () => "nothing came to the webhook", 30_000));
    assert.deepEqual([told.state, told.report.name, told.space.name, told.zone, told.end - told.start], ["report", "Every Monday", "Orders", "Europe/Berlin", 3600]);
    const shown = await fetch(told.image_url); // by anyone who has the address
    assert.equal(shown.status, 200);
    isPicture(Buffer.from(await shown.arrayBuffer()), 500);
    assert.equal((await fetch(told.image_url.replace(/-(\w)(\w+)\.png$/, (_, a, rest) => `-${a === "0" ? "1" : "0"}${rest}.png`))).status, 404);
    await dialog.getByText(/Sent \d+ s ago/).waitFor();
    await accessibleInBoth(page, "a picture that was sent");

    await dialog.getByRole("button", { name: "Actions for Every Monday" }).click();
    await page.getByRole("menuitem", { name: "Pause" }).click();
    await dialog.getByText("Paused.").waitFor();
    await dialog.getByRole("button", { name: "Actions for Every Monday" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await dialog.getByLabel("Sent", { exact: true }).selectOption({ label: "Every month" });
    await dialog.getByLabel("On", { exact: true }).selectOption({ label: "Last day" });
    await dialog.getByLabel("Name").fill("Month end");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("on the last day of every month at 08:30").waitFor();
    const [kept] = (await (await context.request.get(`/ui/api/spaces/${space}/reports`)).json()).reports;
    assert.deepEqual([kept.name, kept.paused, kept.due_at, kept.schedule.day, kept.services.length], ["Month end", true, 0, 31, 2]);

    await page.goto("/settings/services");
    await page.getByText("Archive").first().click();
    await page.getByText("Scheduled picture Every Monday").waitFor(); // as it was sent, and about no alert

    await page.goto(`/spaces/${space}`);
    const again = await open(page);
    await again.getByRole("button", { name: "Actions for Month end" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete schedule" }).click();
    await again.getByRole("button", { name: "Actions for Month end" }).waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    hook.stop();
    await page.close();
  });

  test("what went wrong is said where it is looked for, on a phone too", async () => {
    const refusing = await listenTo([], 403, "no such channel");
    const chat = await newService("slack", "Room", { url: refusing.url });
    const space = await newSpace(server, "Refunds", latency);
    const { page, context, problems } = await visit(browser, server, phone);
    const made = await context.request.post(`/ui/api/spaces/${space}/reports`, {
      data: { name: "Nightly", range: "-1d", services: [chat], schedule: { every: "day", time: "09:00", zone: "UTC" } },
    });
    assert.equal(made.status(), 201, await made.text());
    await page.goto(`/spaces/${space}`);
    await settled(page);
    const dialog = await open(page);
    await dialog.getByRole("button", { name: "Send now: Nightly" }).click();
    await dialog.getByText(/Room: 403/).waitFor({ timeout: 30_000 });
    await accessibleInBoth(page, "a picture that did not arrive");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "scrolls sideways");
    assert.equal((await v1(server, "DELETE", `/services/${chat}`)).status, 204);
    await dialog.getByRole("button", { name: "Send now: Nightly" }).click();
    await dialog.getByText("All of its services were deleted.").waitFor({ timeout: 30_000 });
    await dialog.getByRole("button", { name: "Schedule a picture" }).click();
    await dialog.getByLabel("Name").waitFor();
    await accessibleInBoth(page, "the form on a phone");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "the form scrolls sideways");
    assert.deepEqual(problems, []);
    refusing.stop();
    await page.close();
  });
});
