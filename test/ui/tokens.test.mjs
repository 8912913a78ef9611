// API tokens, in a real browser on the real binary. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until, v1 } from "./server.mjs";
import { phone, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const send = (server, token, name, value, tags = { host: "web-01" }) =>
  v1(server, "POST", "/measurements", { tags, measurements: [{ name, value }] }, token);

describe("tokens", () => {
  onServer();

  test("a token is generated, used, set Inactive, refused, and active again", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens");
    await page.getByRole("link", { name: "Generate New API Token" }).click();
    await page.waitForURL(/tokens\/new/);
    await page.getByLabel("Name", { exact: true }).fill("checkout-agents");
    assert.ok(await page.getByRole("radio", { name: /Record Only/ }).isChecked());
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByRole("heading", { name: "checkout-agents is ready" }).waitFor();
    const token = (await page.locator("output").first().innerText()).trim();
    assert.match(token, /^tmk_\w+$/);
    for (const client of ["curl", "Ruby", "Python", "Go", "statsd", "telegraf", "Terraform"]) {
      await page.getByRole("tab", { name: client, exact: true }).click();
      const code = await page.getByRole("tabpanel").innerText();
      // What changes things is not given a token that may only record.
      assert.equal(code.includes(token), client !== "Terraform", `${client} and the token`);
      assert.ok(code.includes(new URL(server.base).host), `${client} has the server`);
    }
    const works = page.getByText("Works.");
    await until(async () => {
      assert.equal((await send(server, token, "shop.latency", 41)).status, 202);
      return works.isVisible();
    });
    assert.equal((await v1(server, "GET", "/alerts", undefined, token)).status, 403);

    await page.getByRole("button", { name: "Done, I have stored it" }).click();
    await page.waitForURL(/\/settings\/tokens$/);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state]));
    assert.ok(!kept.includes(token), "the secret is kept nowhere");
    await page.getByRole("link", { name: "checkout-agents" }).click();
    await page.getByRole("dialog").getByText("Seen using it, last 30 days").waitFor();
    assert.ok(!(await page.content()).includes(token), "the secret is shown once");

    await page.getByRole("checkbox", { name: "Active" }).click();
    await page.getByText(/checkout-agents is Inactive\. 1 sender is refused from now on\./).waitFor();
    assert.equal((await send(server, token, "shop.latency", 42)).status, 401);
    const undo = page.getByRole("button", { name: "Undo" });
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).first().focus();
    for (const key of ["Shift+Tab", "Shift+Tab", "Shift+Tab", "Tab"]) await page.keyboard.press(key);
    assert.ok(await undo.evaluate((b) => b === document.activeElement), "from an end of the drawer Tab leads to it, and back");
    await page.keyboard.press("Enter");
    await until(() => page.getByRole("checkbox", { name: "Active" }).isChecked());
    await until(async () => (await send(server, token, "shop.latency", 42)).status === 202);

    await page.getByRole("link", { name: "Delete…" }).click();
    await page.getByRole("heading", { name: /Delete/ }).waitFor();
    const really = page.getByRole("button", { name: "Delete token" });
    assert.ok(await really.isDisabled(), "a token in use wants its name typed");
    await page.getByLabel(/Type checkout-agents/).fill("checkout-agents");
    await really.click();
    await page.getByText("checkout-agents is deleted.").waitFor();
    assert.equal((await send(server, token, "shop.latency", 43)).status, 401);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a token with a scope sends what it may and nothing else", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens/new");
    await page.getByLabel("Name", { exact: true }).fill("edge-ams");
    await page.getByRole("radio", { name: /View Only/ }).check();
    await page.getByText("It can read everything: metrics, spaces, alerts and annotations.").waitFor();
    assert.equal(await page.getByRole("region", { name: "If your senders used it" }).count(), 0);
    await page.getByRole("radio", { name: /Full Access/ }).check();
    await page.getByRole("region", { name: "If your senders used it" }).waitFor();
    await page.getByText("Full Access reaches everything. Choose another role to narrow it.").waitFor();
    await page.getByRole("radio", { name: /Record Only/ }).check();
    await page.getByRole("button", { name: "Only these" }).click();
    await page.getByRole("textbox", { name: "Metrics" }).fill("edge.*");
    await page.getByRole("textbox", { name: "Streams where" }).fill("site=ams,fra");
    await page.getByRole("textbox", { name: "Networks" }).fill("here");
    const can = page.getByRole("region", { name: "What this token can do" });
    await page.getByRole("textbox", { name: "Networks" }).press("Enter");
    await can.getByText("Send measurements named edge.* with one of 2 values of site, from here.").waitFor();
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByText('"here" is neither an address nor a network such as 10.20.0.0/16').first().waitFor();
    await page.getByRole("button", { name: "Remove here" }).click();
    await page.getByRole("textbox", { name: "Networks" }).fill("127.0.0.0/8, ::1");
    await page.getByLabel("If unused for").selectOption({ label: "60 days: set Inactive" });
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByRole("heading", { name: "edge-ams is ready" }).waitFor();
    const token = (await page.locator("output").first().innerText()).trim();

    assert.equal((await send(server, token, "edge.load", 1, { site: "ams" })).status, 202);
    const refused = await send(server, token, "queue.depth", 1, { site: "ams" });
    assert.equal(refused.status, 403);
    assert.match(JSON.stringify(refused.body), /is outside the scope of token edge-ams/);
    assert.equal((await send(server, token, "edge.load", 1, { site: "lon" })).status, 403);
    assert.equal((await v1(server, "GET", "/metrics", undefined, token)).status, 403);

    await page.getByRole("button", { name: "Done, I have stored it" }).click();
    await page.getByText("Sends edge.* with site=ams or fra · from 127.0.0.0/8, ::1").waitFor();

    await page.getByRole("link", { name: "edge-ams" }).click();
    const drawer = page.getByRole("dialog", { name: /edge-ams/ });
    await drawer.getByLabel("Role").selectOption({ label: "View Only" });
    await drawer.getByText("Its scope stays: it then reads what is in it and does nothing else.").waitFor();
    await drawer.getByLabel("Role").selectOption({ label: "Full Access" });
    await drawer.getByText("This token has a scope, which Full Access tokens cannot have. Generate another token for that.").waitFor();
    await drawer.getByRole("button", { name: "Save changes" }).click();
    await drawer.getByText(/is for Record Only and View Only tokens\. Leave it out/).waitFor();

    await drawer.getByLabel("Role").selectOption({ label: "Record Only" });
    assert.equal(await drawer.getByLabel("If unused for").inputValue(), "60");
    await drawer.getByLabel("If unused for").selectOption({ label: "However long: stays Active" });
    const save = drawer.getByRole("button", { name: "Save changes" });
    await drawer.getByRole("button", { name: "Change scope and networks…" }).click();
    await drawer.getByRole("textbox", { name: "Metrics" }).fill("queue.*");
    await drawer.getByRole("textbox", { name: "Metrics" }).press("Enter");
    await drawer.getByRole("button", { name: "Remove ::1" }).click();
    await save.click();
    await drawer.getByText("Sends edge.* or queue.* with site=ams or fra").waitFor();
    assert.equal((await send(server, token, "queue.depth", 1, { site: "ams" })).status, 202);
    assert.equal((await send(server, token, "other", 1, { site: "ams" })).status, 403);
    await drawer.getByRole("button", { name: "Change scope and networks…" }).click();
    await drawer.getByRole("button", { name: "Whole organization" }).click();
    await save.click();
    await drawer.getByRole("button", { name: "Change scope and networks…" }).waitFor(); // the form has the words, too
    await drawer.getByText("Whole organization", { exact: true }).waitFor();
    const kept = (await v1(server, "GET", "/api_tokens?name=edge-ams")).body.api_tokens[0];
    assert.equal(kept.idle_days, undefined);
    assert.equal((await send(server, token, "other", 1)).status, 202);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a View Only token with a scope reads what is in it and nothing else", async () => {
    for (const [name, site] of [["ledger.count", "ams"], ["ledger.count", "lon"], ["vault.count", "ams"]])
      assert.equal((await send(server, server.token, name, 1, { site })).status, 202);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens/new");
    await page.getByLabel("Name", { exact: true }).fill("ledger-board");
    await page.getByRole("radio", { name: /View Only/ }).check();
    await page.getByRole("button", { name: "Only these" }).click();
    assert.equal(await page.getByRole("textbox", { name: "Add to every measurement" }).count(), 0);
    await page.getByRole("textbox", { name: "Metrics" }).fill("ledger.*");
    await page.getByRole("textbox", { name: "Metrics" }).press("Enter");
    await page.getByText("1 metric matches now; new ones that match are allowed too.").waitFor();
    await page.getByRole("textbox", { name: "Streams where" }).fill("site=ams");
    const can = page.getByRole("region", { name: "What this token can do" });
    await page.getByRole("textbox", { name: "Streams where" }).press("Enter");
    await can.getByText("Read measurements named ledger.* with site=ams, from anywhere.").waitFor();
    await can.getByText("See alerts, spaces, annotations or tokens").waitFor();
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByRole("heading", { name: "ledger-board is ready" }).waitFor();
    const token = (await page.locator("output").first().innerText()).trim();

    const asked = (path) => v1(server, "GET", path, undefined, token);
    assert.deepEqual((await asked("/metrics")).body.metrics.map((m) => m.name), ["ledger.count"]);
    assert.equal((await asked("/metrics/ledger.count/streams")).body.query.total, 1);
    const refused = await asked("/metrics/vault.count");
    assert.equal(refused.status, 403);
    assert.match(JSON.stringify(refused.body), /vault\.count is outside the scope of token ledger-board/);
    assert.equal((await asked("/spaces")).status, 403);
    assert.equal((await send(server, token, "ledger.count", 1, { site: "ams" })).status, 403);

    await page.getByRole("button", { name: "Done, I have stored it" }).click();
    await page.getByText("Reads ledger.* with site=ams").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("before a token is generated it is checked against those who send", async () => {
    const sent = (name, host, site) => send(server, server.token, name, 1, { host, site });
    for (const host of ["pay-01", "pay-02", "pay-03"]) assert.equal((await sent("pay.count", host, "ams")).status, 202);
    await sent("pay.count", "batch-01", "ams");
    await sent("mail.depth", "batch-01", "ams");
    await sent("pay.count", "remote-01", "lon");
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens/new");
    const fates = page.getByRole("region", { name: "If your senders used it" });
    const fate = (who) => fates.getByRole("listitem").filter({ hasText: who });
    await page.getByRole("button", { name: "Only these" }).click();
    await page.getByRole("textbox", { name: "Metrics" }).fill("pay.*");
    await page.getByRole("textbox", { name: "Metrics" }).press("Enter");
    await page.getByText("1 metric matches now; new ones that match are allowed too.").waitFor();
    await page.getByRole("textbox", { name: "Streams where" }).fill("site=ams");
    await page.getByRole("textbox", { name: "Streams where" }).press("Enter");
    await fate("pay-01 … pay-03").getByText("all of it").waitFor();
    await fate("batch-01").getByText("mail.* refused, 1 of it").waitFor();
    await fate("remote-01").getByText("another site, or none").waitFor();

    await page.getByRole("textbox", { name: "Networks" }).fill("10.20.0.0/16");
    await page.getByRole("textbox", { name: "Networks" }).press("Enter");
    await page.getByText(/^You are at (127\.0\.0\.1|::1), which is not in this list\.$/).waitFor();
    await fate("pay-01 … pay-03").getByText("other network").waitFor();
    await page.getByRole("textbox", { name: "Networks" }).press("Backspace");
    await fate("pay-01 … pay-03").getByText("all of it").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a rotated token has two values for a while", async () => {
    const made = (await v1(server, "POST", "/api_tokens", { name: "rotated", role: "recorder" })).body;
    const { page, problems } = await visit(browser, server);
    await page.goto(`/settings/tokens/${made.id}`);
    await page.getByRole("link", { name: "Rotate…" }).click();
    await page.getByText("Make a new value. The old one keeps working for").waitFor();
    await page.getByRole("button", { name: "Make a new value" }).click();
    await page.getByRole("heading", { name: "rotated has a new value" }).waitFor();
    const fresh = (await page.locator("output").first().innerText()).trim();
    assert.notEqual(fresh, made.token);
    for (const [value, host] of [[fresh, "web-01"], [made.token, "web-02"]]) {
      assert.equal((await send(server, value, "shop.latency", 44, { host })).status, 202);
    }
    await page.getByRole("button", { name: "Done, I have stored it" }).click();
    await page.getByRole("dialog").getByText(/Old value works until .*\. 1 sender still uses it\./).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a secret that was not copied is not lost by accident, and Back leads to the details", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens");
    await page.getByRole("link", { name: "Generate New API Token" }).click();
    await page.getByLabel("Name", { exact: true }).fill("wall");
    await page.getByRole("radio", { name: /View Only/ }).check();
    await page.getByLabel("Expires").selectOption({ label: "A date…" });
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByText("The last day is missing.").waitFor();
    await page.getByLabel("Last day").fill("2031-03-01");
    await page.getByRole("button", { name: "Generate token" }).click();
    await page.getByRole("heading", { name: "wall is ready" }).waitFor();
    await page.getByText("Expires 1 Mar 2031").waitFor();
    const question = page.getByRole("dialog", { name: "The token cannot be shown again. Leave without copying it?" });
    await page.getByRole("link", { name: "Alerts" }).click();
    await question.waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "wall is ready" }).waitFor();
    await page.goBack();
    await question.getByRole("button", { name: "Leave" }).click();
    const details = page.getByRole("dialog", { name: /wall/ });
    await details.getByText(/^1 Mar 2031/).waitFor();
    await details.getByText(/ by owner@example\.org$/).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a refused request is explained while the page waits", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens/new");
    await page.getByLabel("Name", { exact: true }).fill("narrow");
    await page.getByRole("button", { name: "Generate token" }).click();
    const token = (await page.locator("output").first().innerText()).trim();
    const said = page.getByText("A request came with this token but was refused: 403, POST /v1/spaces needs Full Access.");
    await until(async () => {
      await v1(server, "POST", "/spaces", { name: "x" }, token);
      return said.isVisible();
    });
    await until(async () => {
      await send(server, token, "shop.latency", 1);
      return page.getByText("First request from web-01 (node) just now.").isVisible();
    });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a narrower role says what it would refuse; edits are not lost by accident", async () => {
    const made = (await v1(server, "POST", "/api_tokens", { name: "terraform", role: "admin" })).body;
    for (let i = 0; i < 3; i++) assert.equal((await v1(server, "GET", "/spaces", undefined, made.token)).status, 200);
    await send(server, made.token, "shop.latency", 2);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens");
    await page.getByRole("link", { name: "terraform" }).click();
    const drawer = page.getByRole("dialog", { name: /terraform/ });
    await drawer.getByLabel("Role").selectOption({ label: "Record Only" });
    await drawer.getByText("It read spaces 3 times in the last 30 days; Record Only refuses that.").waitFor();
    await drawer.getByLabel("Role").selectOption({ label: "View Only" });
    await drawer.getByText("It sent measurements 1 time in the last 30 days; View Only refuses that.").waitFor();
    await page.keyboard.press("Escape");
    const question = page.getByRole("dialog", { name: "Discard changes to terraform?" });
    await question.getByRole("button", { name: "Keep editing" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "hidden" });
    assert.equal(await drawer.getByLabel("Role").inputValue(), "viewer");
    await page.keyboard.press("Control+s");
    await page.getByText("terraform is saved.").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/settings\/tokens$/);
    assert.equal((await send(server, made.token, "shop.latency", 3)).status, 403);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the list is searched by a value, filtered, sorted and walked by keys", async () => {
    for (const name of ["alpha", "omega"]) await v1(server, "POST", "/api_tokens", { name, role: "recorder" });
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/tokens");
    const names = () => page.locator("tbody a").allInnerTexts();
    await page.getByRole("link", { name: "omega" }).waitFor();
    await page.getByRole("button", { name: "Name", exact: true }).click();
    await page.getByText("Sorted by name").waitFor();
    assert.equal((await names())[0], "alpha");
    await page.getByRole("searchbox").fill(server.token);
    await until(async () => (await names()).join() === "first token");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("button", { name: /^Inactive/ }).click();
    await page.getByText("No token is Inactive.").waitFor();
    await page.getByRole("button", { name: /^All/ }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: /alpha/ }).waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/sort=name/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on a phone: two lines a row, and nothing scrolls sideways", async () => {
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/settings/tokens");
    await page.getByRole("link", { name: "first token" }).waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `the page is ${wide} px wide`);
    await page.getByRole("link", { name: "Generate New API Token" }).tap();
    await page.getByLabel("Name", { exact: true }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    // What it can do stays in sight above the button.
    const made = page.getByRole("button", { name: "Generate token" });
    await page.getByText("Send any measurement, from anywhere.").last().waitFor();
    const box = async (found) => found.boundingBox();
    const [sentence, button] = [await box(page.getByText("Send any measurement, from anywhere.").last()), await box(made)];
    assert.ok(sentence.y < button.y && button.y + button.height <= 844, `${sentence.y}, ${button.y}`);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
