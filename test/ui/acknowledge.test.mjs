// Acknowledging from the link of a notification: by whoever has it, and by
// name for whoever is signed in. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { listenTo } from "./others.mjs";
import { openPage, until, v1 } from "./server.mjs";
import { phone, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** An alert that fires and notifies: its id and the link of the notification. */
async function notified(name) {
  const received = [];
  const receiver = await listenTo(received);
  const gate = (value) => v1(server, "POST", "/measurements", { measurements: [{ name, value, tags: { host: "a" } }] });
  await gate(1);
  const service = (await v1(server, "POST", "/services", { type: "webhook_json", title: name, settings: { url: receiver.url } })).body;
  const alert = await v1(server, "POST", "/alerts", { name, severity: "critical", services: [service.id], conditions: [{ type: "above", metric_name: name, threshold: 5 }] });
  assert.equal(alert.status, 201, JSON.stringify(alert.body));
  await until(async () => (await gate(9)) && received.length > 0, () => "nobody is notified", 60_000);
  receiver.stop();
  return { id: alert.body.id, link: JSON.parse(received[0]).alert.acknowledge_url };
}

const notes = async (id) => (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents[0].notes ?? [];

describe("links that acknowledge", () => {
  onServer(() => startShop({ TIDEMARK_PUBLIC_URL: (base) => base }));

  test("a stranger looks, confirms on a phone, and is told what happened", async () => {
    const { id, link } = await notified("shop.door");
    const { context, page, problems } = await openPage(browser, server, phone);
    await page.goto(link);
    await page.getByRole("heading", { name: "shop.door" }).waitFor();
    await page.getByText(/^Firing since .*, critical\. Nobody has acknowledged it\.$/).waitFor();
    await accessible(page, "the question behind the link");
    assert.deepEqual(await notes(id), [], "looking changes nothing");
    await page.getByLabel("Note (optional)").fill("on my way");
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText(/^Acknowledged .* by link in notification\. Nobody is reminded/).waitFor();
    assert.equal(await page.getByRole("button", { name: "Acknowledge" }).count(), 0);
    assert.deepEqual((await notes(id)).map((n) => [n.kind, n.by, n.text]), [["acknowledged", "link in notification", "on my way"]]);
    await page.goto(`${link}0`);
    await page.getByRole("heading", { name: "This link does not work" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("whoever is signed in acknowledges by name, and goes on to the alert", async () => {
    const { id, link } = await notified("shop.window");
    const { page, problems } = await visit(browser, server);
    await page.goto(link);
    await page.getByText("You acknowledge as owner@example.org.").waitFor();
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByText(/^Acknowledged .* by owner@example\.org\./).waitFor();
    await page.getByRole("link", { name: "Open the alert" }).click();
    await page.waitForURL(new RegExp(`/o/\\d+/alerts/${id}$`));
    await page.getByRole("heading", { name: "shop.window", level: 1 }).waitFor();
    await page.getByText(/owner@example\.org acknowledged/).first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });
});
