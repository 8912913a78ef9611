// What people do, in a real browser on the real binary. Run by
// node --test test/ui/ (needs bin/tidemark and Debian's chromium).
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { openPage, owner, signIn, startServer, until, v1 } from "./server.mjs";
import { newSpace, now, phone, record, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("first run to first chart", () => {
  onServer(startServer);

  test("from the one-time link to a chart of the first measurement", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await page.goto(`/setup/${server.setup}`);
    await page.getByLabel(/organization/i).fill("Example Shop");
    await page.getByLabel(/e-mail/i).fill(owner.email);
    await page.getByLabel(/password/i).first().fill(owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(send|spaces)/);
    await settled(page);
    await record(server);
    await page.goto("/metrics?q=shop.*");
    await page.getByRole("link", { name: /shop.requests/ }).click();
    await page.getByRole("img", { name: /each stream/ }).waitFor();
    await page.goto("/spaces");
    await page.getByRole("button", { name: "New space" }).first().click();
    await page.getByLabel("Name").fill("First space");
    await page.getByRole("button", { name: "Create space" }).click();
    await page.waitForURL(/\/spaces\/\d+$/);
    await page.getByRole("button", { name: /shop.requests/ }).click();
    await page.getByRole("article", { name: "shop.requests" }).waitFor();
    await page.locator("canvas").first().waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });
});

describe("with an organization", () => {
  onServer();

  test("a space with three kinds of chart survives a reload", async () => {
    const id = await newSpace(server, "Three kinds");
    const { page, problems } = await visit(browser, server);
    for (const [kind, metric] of [
      ["Line", "shop.latency"],
      ["Stacked", "shop.requests"],
      ["Big number", "shop.errors"],
    ]) {
      await page.goto(`/spaces/${id}/charts/new`);
      await page.getByRole("button", { name: "Metric", exact: true }).click();
      await page.getByRole("combobox", { name: "Metric" }).fill(metric);
      await page.getByRole("option", { name: new RegExp(metric) }).click();
      await page.getByRole("radio", { name: kind }).click();
      await page.getByRole("textbox", { name: "Name" }).last().fill(`${kind} of ${metric}`);
      await page.getByText(/resolution, answered in/).waitFor();
      await page.keyboard.press("Control+s");
      await page.waitForURL(new RegExp(`/spaces/${id}`));
      await page.getByRole("article", { name: `${kind} of ${metric}` }).waitFor();
    }
    await page.reload();
    for (const name of ["Line of shop.latency", "Stacked of shop.requests", "Big number of shop.errors"]) await page.getByRole("article", { name }).waitFor();
    await page.getByRole("img", { name: /Line of shop.latency, 1 stream.*now/ }).waitFor();
    const charts = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    assert.deepEqual(charts.map((c) => c.type).sort(), ["bignumber", "line", "stacked"]);
    await accessible(page, "a space");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a chart is moved by keys, the layout is kept, and undone", async () => {
    const id = await newSpace(server, "Moved", { name: "One" }, { name: "Two" });
    const { context, page } = await visit(browser, server);
    const layout = async () => (await (await context.request.get(`/ui/api/spaces/${id}/layout`)).json()).layout;
    await page.goto(`/spaces/${id}`);
    const handle = page.getByRole("button", { name: /^One, press Enter/ });
    await handle.focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Enter");
    await page.getByText("Layout saved").waitFor();
    const one = (await layout()).find((b) => b.col === 0 && b.row === 0);
    assert.equal(one.width, 8);
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await layout()).find((b) => b.col === 0 && b.row === 0)?.width === 6);
    await page.close();
  });

  test("a chart is dragged by its title and resized at its corner", async () => {
    const id = await newSpace(server, "Dragged", { name: "One" }, { name: "Two" });
    const { context, page } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    const box = await page.getByRole("article", { name: "One" }).boundingBox();
    await page.mouse.move(box.x + 40, box.y + 16);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 30, { steps: 6 });
    await page.mouse.move(box.x + box.width * 1.1 + 40, box.y + 16, { steps: 6 });
    await page.mouse.up();
    await page.getByText("Layout saved").waitFor();
    const { layout } = await (await context.request.get(`/ui/api/spaces/${id}/layout`)).json();
    const charts = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    assert.equal(layout.find((b) => b.chart === charts[0].id).col, 6);
    await page.close();
  });

  test("a composite with an error, then right", async () => {
    const id = await newSpace(server, "Composite");
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}/charts/new`);
    await page.getByRole("button", { name: "Composite", exact: true }).click();
    const editor = page.getByRole("textbox", { name: "Composite" });
    await editor.click();
    await page.keyboard.insertText('scale(dvide([sum(s("shop.errors","*")), sum(s("shop.requests","*"))]), {factor:"100"})');
    await page.getByText(/Line 1: .*dvide/).waitFor();
    await page.locator(".cm-lintRange-error").waitFor();
    assert.equal(await page.getByRole("button", { name: /Save chart/ }).isDisabled(), true);
    await page.getByRole("button", { name: "divide", exact: true }).click();
    await page.getByText(/1 stream, .*resolution/).waitFor();
    // Lines that flow into one: the browser would keep their look in style attributes, which the policy forbids.
    await editor.click();
    await page.keyboard.press("Control+Home");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Enter");
    await until(async () => (await page.locator(".cm-line").count()) > 3);
    await page.keyboard.press("Control+a");
    await page.keyboard.insertText('divide([sum(s("shop.errors","*")), sum(s("shop.requests","*"))])');
    await until(async () => (await page.locator(".cm-line").count()) === 1);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("(");
    await until(async () => /^\(divide\(.*\)\)$/.test(await page.locator(".cm-content").textContent()));
    await page.keyboard.press("Control+z");
    await page.getByText(/1 stream, .*resolution/).waitFor();
    await page.getByRole("textbox", { name: "Name" }).last().fill("Error ratio");
    await page.keyboard.press("Control+s");
    await page.getByRole("article", { name: "Error ratio" }).waitFor();
    await page.getByRole("img", { name: /Error ratio, 1 stream/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("completion knows functions, metrics and tags", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/explore?view=composite");
    await page.getByRole("textbox", { name: "Composite" }).click();
    await page.keyboard.type("su");
    await page.getByRole("option", { name: /^sum/ }).waitFor();
    await page.keyboard.press("Tab"); // the shortest first, with both brackets
    await until(async () => (await page.locator(".cm-content").textContent()) === "sum()");
    await page.keyboard.type('s("shop.req');
    const text = () => page.locator(".cm-content").textContent();
    const option = page.getByRole("option", { name: /shop.requests/ });
    await option.waitFor();
    // A list that has just opened, or was made anew, takes no press yet.
    await until(async () => {
      await option.click({ timeout: 1_000 }).catch(() => undefined);
      return (await text()).includes('sum(s("shop.requests');
    }, () => "the option was not taken");
    await page.getByRole("button", { name: "Function reference" }).click();
    await page.getByRole("searchbox", { name: "Find a function" }).fill("highest");
    await page.getByRole("button", { name: "Insert top" }).click();
    await until(async () => (await text()).includes("top("));
    await page.close();
  });

  test("a share link opens signed out, and no more when revoked", async () => {
    const id = await newSpace(server, "Shared", { name: "Latency" });
    const { page } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByLabel("Name").fill("Office wall");
    await page.getByRole("button", { name: "Make link" }).click();
    const url = await page.getByLabel("Share link").inputValue();
    const guest = await openPage(browser, server);
    await guest.page.goto(url);
    await guest.page.getByRole("heading", { name: "Shared" }).waitFor();
    await guest.page.getByRole("img", { name: /Latency, 1 stream/ }).waitFor();
    assert.equal((await guest.context.request.get("/v1/spaces")).status(), 401);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByText(/no longer opens/).first().waitFor();
    await guest.page.reload();
    await guest.page.getByText("This link no longer opens.").waitFor();
    assert.deepEqual(guest.problems, []);
    await guest.context.close();
    await page.close();
  });

  test("a viewer looks and cannot change", async () => {
    const id = await newSpace(server, "Looked at", { name: "Latency" });
    const admin = await visit(browser, server);
    const who = { email: "viewer@example.org", password: "another long password" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const { context, page } = await openPage(browser, server);
    await signIn(context, who);
    await page.goto(`/spaces/${id}`);
    await page.getByText("You can look, not change.").waitFor();
    await page.getByRole("img", { name: /Latency/ }).waitFor();
    for (const name of ["Share", "Add chart"]) assert.equal(await page.getByRole("button", { name }).count(), 0);
    assert.equal((await context.request.put(`/v1/spaces/${id}`, { data: { name: "x" } })).status(), 403);
    await context.close();
    await admin.context.close();
  });

  test("drag zooms the page, Back returns", async () => {
    const id = await newSpace(server, "Zoomed", { name: "Latency" });
    const { page } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.getByRole("img", { name: /Latency, 1 stream.*now/ }).waitFor();
    const over = page.locator(".u-over");
    const box = await over.boundingBox();
    await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    await page.getByRole("button", { name: "Back to last hour" }).click();
    await page.waitForURL(/from=-1h$/);
    await page.close();
  });

  test("the palette finds and opens by keys", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/spaces");
    await page.getByRole("button", { name: "New space" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("shop.req");
    await page.getByRole("option", { name: /shop.requests/ }).first().waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/metrics\?name=shop.requests/);
    await page.close();
  });

  test("live points arrive without a reload", async () => {
    const id = await newSpace(server, "Live", { name: "Pulse", type: "bignumber", use_last_value: true, streams: [{ metric: "shop.pulse" }] });
    await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.pulse", value: 11, time: now() - 30, tags: { host: "a" } }] });
    const { page } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-15m`);
    await page.getByText("11", { exact: true }).waitFor();
    await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.pulse", value: 77, time: now(), tags: { host: "a" } }] });
    await page.getByText("77", { exact: true }).waitFor();
    await page.close();
  });

  test("on a phone nothing scrolls sideways and the bar leads everywhere", async () => {
    const id = await newSpace(server, "Phone", { name: "Latency" });
    const { page, problems } = await visit(browser, server, phone);
    for (const path of [`/spaces/${id}`, "/spaces", "/explore", "/metrics", "/metrics?name=shop.latency", "/alerts", "/more", "/settings/tokens", "/annotations"]) {
      await page.goto(path);
      await settled(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${path} is ${wide} px wide`);
    }
    await page.getByRole("link", { name: "Spaces" }).click();
    await page.getByRole("link", { name: "Phone" }).click();
    await page.getByRole("img", { name: /Latency/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });
});
