// States that are passed through: what cannot be pressed, what is gone, what
// does not answer, what nobody may change.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible, accessibleInBoth } from "./axe.mjs";
import { openPage, signIn, until, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("states", () => {
  onServer();

  test("a runbook that cannot be opened is refused at its field, and one that came otherwise is shown", async () => {
    const made = await v1(server, "POST", "/alerts", { name: "shop.latency", attributes: { runbook_url: "wiki.example.org/runbook" }, conditions: [{ type: "above", metric_name: "shop.latency", threshold: 1000 }], version: 2 });
    assert.equal(made.status, 201);
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${made.body.id}`);
    await page.getByText("wiki.example.org/runbook").waitFor();
    await page.goto(`/alerts/${made.body.id}/edit`);
    const saves = page.getByRole("button", { name: /Save alert/ });
    await saves.click();
    await page.getByText("Begin with https:// or http://").waitFor();
    const field = page.getByLabel("Runbook URL");
    await field.fill("https://wiki.example.org/runbook");
    await saves.click();
    await page.getByRole("link", { name: "Runbook" }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an alert says whom it notifies, what to do with links, and that it still violates while snoozed", async () => {
    const { body: alert } = await v1(server, "POST", "/alerts", {
      name: "errors.still", description: "Read https://wiki.example.org/errors first.\n\n- then `top`",
      conditions: [{ type: "above", metric_name: "shop.errors", threshold: 1, summary_function: "max", tags: [] }],
    });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/alerts/${alert.id}?from=-30m`);
    assert.equal(await page.getByRole("link", { name: "https://wiki.example.org/errors" }).getAttribute("href"), "https://wiki.example.org/errors");
    await until(async () => {
      await v1(server, "POST", "/measurements", { tags: { host: "web-01" }, measurements: [{ name: "shop.errors", value: 2 }] });
      return (await v1(server, "GET", `/alerts/${alert.id}/status`)).body.status === "triggered";
    });
    assert.equal((await v1(server, "POST", `/alerts/${alert.id}/snooze`, { seconds: 3600 })).status, 201);
    await page.reload();
    await page.getByText(/^Still violating on \d streams? since/).waitFor();
    // Lines of the half hour before lie under these.
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "The period before" }).click();
    await page.waitForURL(/compare=period/);
    const { body: quiet } = await v1(server, "POST", "/alerts", { name: "errors.quiet", conditions: [{ type: "above", metric_name: "shop.errors", threshold: 1000, summary_function: "max", tags: [] }] });
    await page.goto(`/alerts/${quiet.id}`);
    await page.getByRole("region", { name: "Notifies" }).getByText("Nobody is notified. The alert only shows here.").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a button that cannot be pressed looks the same under the mouse", async () => {
    const id = await newSpace(server, "Empty editor");
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}/charts/new`);
    const saves = page.getByRole("button", { name: /Save chart/ });
    const ground = () => saves.evaluate((b) => getComputedStyle(b).backgroundColor);
    await saves.waitFor();
    assert.ok(await saves.isDisabled());
    const before = await ground();
    await saves.hover({ force: true });
    assert.equal(await ground(), before);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a link that is revoked is not offered any more", async () => {
    const id = await newSpace(server, "Shared for a moment", { name: "Latency" });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByLabel("Name").fill("Wall");
    await page.getByRole("button", { name: "Make link" }).click();
    await page.getByLabel("Share link").waitFor();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("no longer opens").waitFor();
    assert.equal(await page.getByLabel("Share link").count(), 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a viewer of an alert's draft has nothing to save or send", async () => {
    const who = { email: "looks@example.org", password: "another long password" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const { context, page } = await openPage(browser, server);
    await signIn(context, who);
    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByText("View only").waitFor();
    for (const name of [/Save alert/, "Send test"]) assert.equal(await page.getByRole("button", { name }).count(), 0);
    await context.close();
  });

  test("the live dot tells an outage, the metrics say why they are not there, and both recover", async () => {
    const id = await newSpace(server, "Outage", { name: "Latency" });
    const { page } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-15m`);
    await settled(page);
    const dot = page.getByRole("button", { name: "Live" }).locator("[data-state]");
    assert.equal(await dot.getAttribute("data-state"), "live");
    await page.route("**/ui/api/**", (route) => route.abort());
    await page.locator('[data-state="late"]').waitFor();
    await page.unroute("**/ui/api/**");
    await page.locator('[data-state="live"]').waitFor();
    await page.route("**/ui/api/metrics**", (route) => route.abort());
    await page.getByRole("link", { name: "Metrics" }).click();
    await page.getByText("No connection to the server.").first().waitFor({ timeout: 5_000 });
    await page.unroute("**/ui/api/metrics**");
    await page.getByText("shop.latency").first().waitFor();
    await page.close();
  });

  test("the search is accessible before anything was looked for", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/spaces");
    await settled(page);
    await page.keyboard.press("Control+k");
    await page.getByText("Type a name: an alert, a space, a chart, a metric.").waitFor();
    await accessible(page, "the empty search");
    await page.getByRole("combobox").fill("shop");
    await page.getByRole("listbox", { name: "Results" }).getByRole("option").first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("long words stay within what is known of an annotation", async () => {
    const id = await newSpace(server, "Long words", { name: "Latency", streams: [{ metric: "shop.latency" }, { type: "annotation", metric: "long-words" }] });
    await v1(server, "POST", "/annotations/long-words", { title: "x".repeat(90), description: "y".repeat(200), start_time: now() - 1800 });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.getByRole("button", { name: /^xxx/ }).first().click();
    const card = page.getByRole("dialog", { name: /^xxx/ });
    await card.waitFor();
    assert.ok(await card.evaluate((e) => e.scrollWidth <= e.clientWidth), "nothing runs out of it");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("after a token is deleted nothing is asked about it", async () => {
    const { body } = await v1(server, "POST", "/api_tokens", { name: "short-lived", role: "recorder" });
    await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.errors", value: 1, tags: { host: "web-01" } }] }, body.token);
    const { page, problems } = await visit(browser, server);
    await page.goto(`/settings/tokens/${body.id}/delete`);
    const missed = [];
    page.on("response", (r) => r.status() === 404 && missed.push(r.url()));
    await page.getByLabel(/Type short-lived/).fill("short-lived");
    await page.getByRole("button", { name: "Delete token" }).click();
    await page.getByText("short-lived is deleted.").waitFor();
    await page.waitForURL(/tokens$/);
    await settled(page);
    assert.deepEqual(missed, []);
    assert.deepEqual(problems, []);
    await page.close();
  });

  /** Answers as no server of ours does. */
  const breakSpace = (page, id) => page.route(`**/ui/api/spaces/${id}/layout`, (route) => route.fulfill({ json: { layout: [], default_tags: 5, annotations: [] } }));

  test("a page that crashes says so where it would be, leads away, and is no start page", async () => {
    const broken = await newSpace(server, "Broken", { name: "Latency" });
    const sound = await newSpace(server, "Sound", { name: "Latency" });
    for (const options of [undefined, phone]) {
      const { context, page } = await visit(browser, server, options);
      await breakSpace(page, broken);
      await page.goto(`/spaces/${broken}`);
      const crash = page.getByRole("heading", { name: "This page stopped working." });
      await crash.waitFor();
      await page.getByText("If it comes back, tell whoever looks after this server: ").getByText(/ is not /).waitFor(); // for who looks after the server
      await accessibleInBoth(page, "a page that crashed");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Alerts" }).click();
      await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
      await page.goBack();
      await crash.waitFor();
      await page.getByRole("link", { name: "Go to the list of spaces" }).click();
      await page.getByRole("link", { name: "Sound" }).waitFor();
      assert.equal(await crash.count(), 0);
      await page.goto("/");
      await page.waitForURL(/\/spaces$/); // not where it crashed
      await page.getByRole("link", { name: "Broken" }).first().click();
      await crash.waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "Search" }).waitFor();
      await page.keyboard.press("Escape");
      await page.unrouteAll();
      await page.getByRole("button", { name: "Reload the page" }).click();
      await page.getByRole("article", { name: "Latency" }).waitFor();
      await until(async () => {
        const { spaces } = await (await context.request.get("/ui/api/spaces")).json();
        return spaces.toSorted((a, b) => b.opened_at - a.opened_at)[0].id === broken;
      });
      await page.goto("/");
      await page.waitForURL(new RegExp(`/spaces/${broken}$`)); // it is well again
      await context.close();
    }
    const outside = await visit(browser, server);
    const made = await (await outside.context.request.post(`/ui/api/spaces/${sound}/shares`, { data: { name: "s", expires_in: 3600 } })).json();
    await outside.context.clearCookies();
    await outside.page.route("**/ui/api/shared/*", (route) => route.fulfill({ json: { name: "Sound", layout: 5 } }));
    await outside.page.goto(new URL(made.url).pathname);
    await outside.page.getByRole("heading", { name: "This page stopped working." }).waitFor();
    assert.equal(await outside.page.getByRole("link").count(), 0, "a link into what is not theirs");
    await outside.context.close();
  });
});
