// A server that nobody has sent anything to yet, and trouble on the way to one,
// in a real browser on the real binary. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible, accessibleInBoth } from "./axe.mjs";
import { setUp, startServer, until, v1 } from "./server.mjs";
import { phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** A server with an owner and nothing else. */
async function startEmpty() {
  const server = await startServer();
  await setUp(server);
  return server;
}

describe("an empty server", () => {
  onServer(startEmpty);

  test("each check says why it fails, and the first number is noticed", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/");
    await page.waitForURL(/\/send/);
    await page.getByRole("heading", { name: "Waiting for your first measurement" }).waitFor();
    const watch = page.getByRole("region", { name: "Watch this machine" });
    await until(async () => /agent\.sh \| sh -s -- --token tmk_\w+/.test(await watch.innerText()));
    const code = page.getByRole("tabpanel");
    await until(async () => /tmk_\w+/.test(await code.innerText()));
    const token = /tmk_\w+/.exec(await code.innerText())[0];
    await page.getByRole("tab", { name: "Other", exact: true }).click();
    await page.getByText("POST /v1/metrics").waitFor();
    assert.ok((await code.innerText()).includes(`Bearer ${token}`));
    await page.getByRole("button", { name: "Nothing arriving?" }).click();
    await page.getByText(`curl -sS -i ${server.base}/v1/metrics`).waitFor();
    await accessibleInBoth(page, "nothing arriving");

    const send = (as, body) => v1(server, "POST", "/measurements", body, as);
    const good = { tags: { host: "laptop" }, measurements: [{ name: "hello.tide", value: 42 }] };
    // Whoever listens hears of it a moment later; a request that comes before that is not repeated.
    const says = (text, as, body = good) =>
      until(async () => {
        await send(as, body);
        return page.getByText(text).isVisible();
      }, () => `${text} was not said`);
    const strange = `tmk_${"z".repeat(45)}x7Qd`;
    await says("A request came with an unknown token ending x7Qd (401).", strange);
    assert.ok(!(await page.content()).includes(strange));
    assert.ok(!server.log().includes(strange.slice(0, 20)), "the token is not in the log");
    await until(async () => {
      await fetch(`${server.base}/v1/measurements`, { method: "POST", body: "{}" });
      return page.getByText("A request came without a token (401).").isVisible();
    });
    await says("A request was read, but measurement 1 failed: name is not present.", token, { measurements: [{ value: 1 }] });
    await send(token, good);
    await page.getByRole("heading", { name: "It works. hello.tide is 42." }).waitFor();
    const seen = await page.getByRole("link", { name: "See the metric" }).getAttribute("href");
    assert.match(seen, /\/metrics\?name=hello\.tide&from=-10m/); // where one number is more than a dot at the edge
    await page.getByRole("button", { name: "Build a space from what arrives" }).click();
    await page.waitForURL((u) => /\/spaces\/\d+$/.test(u.pathname));
    await page.getByRole("heading", { name: "What arrives" }).waitFor();
    await page.getByRole("article", { name: "hello.tide" }).waitFor();

    const machine = ["cpu.percent", "memory.percent", "disk.percent", "uptime"].map((n) => ({ name: `host.${n}`, value: 12 }));
    await send(token, { tags: { host: "web-01" }, measurements: machine });
    await page.goto("/spaces");
    await page.getByText("Machines run the agent: 1 host.").waitFor();
    await accessible(page, "the offer of a ready space");
    await page.getByRole("button", { name: "Make the space Hosts" }).click();
    await page.waitForURL(/\/spaces\/\d+/);
    await page.getByRole("heading", { name: "Processor by host" }).waitFor();
    await page.getByRole("article", { name: "Machines, busiest first" }).getByRole("rowheader", { name: "web-01" }).waitFor();

    // Another machine is there by itself; who has read that sees it no longer.
    await page.getByText("Made from what arrives.").waitFor();
    await accessible(page, "a space that was made of what arrives");
    await send(token, { tags: { host: "web-02" }, measurements: machine });
    await page.reload();
    await page.getByRole("article", { name: "Machines, busiest first" }).getByRole("rowheader", { name: "web-02" }).waitFor();
    await page.getByRole("status").getByText(/: 2 hosts\./).waitFor();
    await page.getByRole("button", { name: "Hide this" }).click();
    await page.reload();
    await page.getByRole("heading", { name: "Processor by host" }).waitFor();
    await settled(page);
    assert.equal(await page.getByText("Made from what arrives.").count(), 0);

    // So with what other senders send.
    await send(token, { tags: { instance: "web-01:9113" }, measurements: [{ name: "nginx_connections_active", value: 3 }] });
    await page.goto("/spaces");
    await page.getByText("nginx is watched: 1 host.").waitFor();
    await page.getByRole("button", { name: "Make the space nginx" }).click();
    await page.getByRole("article", { name: "Connections" }).waitFor();
    await page.goto("/alerts");
    await page.getByText("Hosts: processor busy").first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });
});

describe("demo data", () => {
  onServer(startEmpty);

  test("it is an organization of its own, to look around in and delete", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/send");
    await page.getByRole("button", { name: "Fill with demo data" }).click();
    const asked = page.getByRole("dialog", { name: "Fill with demo data?" });
    await asked.getByText(/Example Shop stays as it is/).waitFor();
    await accessible(page, "the question");
    await asked.getByRole("button", { name: "Make the demo" }).click();
    await page.getByRole("progressbar", { name: "Filling Demo" }).or(page.getByText(/Demo is ready/)).first().waitFor();
    await page.getByText(/Demo is ready/).waitFor({ timeout: 120_000 });
    await page.getByRole("heading", { name: "Waiting for your first measurement" }).waitFor(); // it is not here
    await page.getByRole("button", { name: "Open Demo" }).click();
    await page.waitForURL(/\/spaces/);
    await page.locator("nav").getByRole("button", { name: "Demo", exact: true }).waitFor();
    await page.goto("/settings/tokens");
    for (const name of ["telegraf-production", "nightly-export", "batch-workers"]) await page.getByRole("link", { name }).waitFor();
    await page.getByRole("row", { name: /nightly-export.*Expires in 6 days/ }).waitFor();
    await page.getByRole("row", { name: /old-laptop.*Unused for 9\d days/ }).waitFor();
    await page.goto("/alerts");
    await page.getByText("checkout.latency.high").first().waitFor();

    await page.locator("nav").getByRole("button", { name: "Demo", exact: true }).click();
    await page.getByRole("menuitem", { name: "Delete the demo…" }).click();
    await page.getByRole("dialog", { name: "Delete Demo?" }).getByRole("button", { name: "Delete demo" }).click();
    await page.waitForURL(/\/send/);
    await page.locator("nav").getByRole("button", { name: "Example Shop" }).waitFor();
    await page.getByRole("button", { name: "Fill with demo data" }).waitFor();
    assert.equal((await v1(server, "GET", "/metrics")).body.query.total, 0);
    assert.deepEqual(problems, []);
    await page.close();
  });
});

describe("trouble", () => {
  onServer();

  test("without a connection one bar says so, and what was loaded stays", async () => {
    const { context, page } = await visit(browser, server, phone);
    await page.goto("/settings/tokens");
    await page.getByRole("link", { name: "first token" }).waitFor();
    await context.setOffline(true);
    await page.getByText(/^No connection\. Showing what was loaded at \d+:\d+\.$/).waitFor({ timeout: 20_000 });
    await page.getByRole("link", { name: "first token" }).waitFor();
    assert.equal(await page.getByRole("status").filter({ hasText: "No connection" }).count(), 1);
    await context.setOffline(false);
    await page.getByText(/^No connection/).waitFor({ state: "hidden", timeout: 30_000 });
    await context.close();
  });

  test("while the parts of a page are on their way its frame is there", async () => {
    const { page } = await visit(browser, server);
    await page.route(/\/assets\//, () => {}); // they never come
    await page.goto("/alerts", { waitUntil: "commit" });
    const frame = page.locator(".boot");
    await frame.waitFor();
    assert.equal(await frame.evaluate((f) => getComputedStyle(f).borderLeftWidth), "1px", "its look is allowed by the policy");
    assert.equal(await frame.locator("p").evaluate((p) => getComputedStyle(p).animationDelay), "8s");
    await page.close();
  });

  test("a server that fails is quoted with the name of the request", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/settings/tokens/new");
    await page.route("**/v1/api_tokens", (route) => route.fulfill({ status: 500, headers: { "X-Request-Id": "7f3a9c" }, json: { errors: { request: ["oops"] } } }));
    await page.getByLabel("Name", { exact: true }).fill("x");
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByText("The server had a problem (request 7f3a9c). Check whether the change was made.").waitFor();
    await page.unroute("**/v1/api_tokens");
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByRole("heading", { name: "x is ready" }).waitFor();
    await page.close();
  });
});
