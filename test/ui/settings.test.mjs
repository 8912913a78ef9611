// The organization's settings: members, sessions, audit log, usage, agents; a
// service from its form to an alert that notifies it. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listenTo } from "./others.mjs";
import { openPage, owner, signIn, until, v1 } from "./server.mjs";
import { now, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const send = (server, token, name, value, tags = { host: "web-01" }) =>
  v1(server, "POST", "/measurements", { tags, measurements: [{ name, value }] }, token);

describe("with an organization", () => {
  onServer();

  test("protocols and agents: who sends, and what was refused", async () => {
    assert.equal((await send(server, "tmk_wrong", "shop.latency", 42)).status, 401);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/general");
    await page.getByRole("link", { name: "Protocols and agents" }).click();
    await page.getByRole("heading", { name: "What arrived in the last hour" }).waitFor();
    await page.getByRole("cell", { name: "node" }).waitFor();
    await page.getByText("Refused lately").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a service is added, tested, told of an alert, which is resolved", async () => {
    const received = [];
    const receiver = await listenTo(received);
    const address = `${receiver.url}/hook`;
    const { page, problems } = await visit(browser, server);

    await page.goto("/settings/services");
    await page.getByRole("button", { name: "Add service" }).click();
    await page.getByRole("button", { name: "JSON webhook" }).click();
    await page.getByLabel("Title").fill("Receiver");
    await page.getByLabel("URL").fill("nonsense");
    await page.getByRole("dialog").getByRole("button", { name: "Add service" }).click();
    await page.getByText("Is missing protocol").waitFor();
    await page.getByLabel("URL").fill(address);
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText(/200.* in [\d.]+\sm?s/).waitFor();
    assert.equal(received.length, 1);
    await page.getByRole("dialog").getByRole("button", { name: "Add service" }).click();
    await page.getByText("Receiver is added.").waitFor();
    await page.getByRole("button", { name: "Receiver", exact: true }).click();
    await page.getByText("set", { exact: true }).waitFor();
    assert.ok(!(await page.content()).includes(address), "the secret is not shown again");

    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByLabel(/^Threshold/).first().fill("250");
    await page.getByLabel("For how long").selectOption({ label: "at once" });
    await page.getByText(/Would not have fired/).waitFor();
    await page.getByRole("button", { name: "Service", exact: true }).click();
    await page.getByRole("menuitem", { name: /Receiver/ }).click();
    await page.getByLabel("Name").fill("shop.slow");
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByRole("heading", { name: "shop.slow" }).waitFor();
    await page.getByText(/^OK\./).waitFor();

    const firing = page.getByText(/Firing for/);
    await until(
      async () => {
        await send(server, server.token, "shop.latency", 400);
        return firing.isVisible();
      },
      () => "the alert does not fire",
      60_000,
    );
    await until(() => received.some((b) => b.includes("shop.slow")), () => `received ${received}`, 30_000);
    await page.getByText("Delivered").first().waitFor({ timeout: 30_000 });
    await page.goto("/alerts");
    await page.getByRole("link", { name: "shop.slow" }).waitFor();
    await page.getByText(/Firing for/).waitFor();

    // The measurement that goes below comes first: then resolving needs no question.
    await page.getByRole("link", { name: "shop.slow" }).click();
    await page.getByRole("button", { name: "Resolve" }).click();
    const again = page.getByRole("dialog").getByRole("button", { name: "Resolve" });
    // One of the two happens; the other ends with the window.
    await Promise.race([again.click().catch(() => undefined), page.getByText(/^OK\./).waitFor()]);
    await page.getByText(/^OK\./).waitFor();
    await page.getByText(/resolved by/).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
    receiver.stop();
  });

  test("an annotation is added, changed, deleted and brought back", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/annotations/deploys");
    await page.getByRole("button", { name: "Add annotation" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add annotation" }).click();
    await page.getByText("Title is missing.").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("deploy 4.18");
    await page.getByLabel("Address of link 1").fill("example.org");
    await page.getByRole("dialog").getByRole("button", { name: "Add annotation" }).click();
    await page.getByText("Begin with https:// or http://").waitFor();
    await page.getByLabel("Address of link 1").fill("https://example.org/build/418");
    await page.getByRole("dialog").getByRole("button", { name: "Add annotation" }).click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page.getByRole("link", { name: /link/ }).waitFor();
    await page.getByRole("button", { name: "Actions for deploy 4.18" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByLabel("Title", { exact: true }).fill("deploy 4.18.1");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("deploy 4.18.1").waitFor();
    await page.getByRole("button", { name: "Actions for deploy 4.18.1" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Nothing happened in this time.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("article").getByText("deploy 4.18.1").waitFor();
    const { body } = await v1(server, "GET", `/annotations/deploys?start_time=${now() - 3600}`);
    assert.equal(Object.values(body.events).flat()[0].links[0].href, "https://example.org/build/418");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a viewer finds no tokens and changes nothing", async () => {
    const who = { email: "viewer@example.org", password: "look do not touch" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context, who);
    await page.goto("/settings/general");
    await page.getByRole("link", { name: "Members" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "API Tokens" }).count(), 0);
    await page.goto("/settings/tokens");
    await page.getByText(`Ask ${owner.email}.`).waitFor();
    for (const path of ["/alerts", "/annotations", "/settings/services", "/settings/members"]) {
      await page.goto(path);
      await page.getByRole("heading").first().waitFor();
      assert.equal(await page.getByRole("button", { name: /^(Add|Invite|New|Delete|Edit)/ }).count(), 0, path);
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("members join, change roles and leave; the last Admin stays", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/members");
    const row = (email) => page.getByRole("row", { name: new RegExp(email) });
    await row(owner.email).getByText("you", { exact: true }).waitFor();
    assert.ok(await row(owner.email).getByRole("button", { name: "Leave" }).isDisabled());
    assert.ok(await page.getByLabel(`Role of ${owner.email}`).isDisabled());
    await page.getByRole("button", { name: "Invite member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill("nobody");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("E-mail").fill("new@example.org");
    await dialog.getByLabel("Role").selectOption("admin");
    await dialog.getByText("Everything, tokens, members and services’ secrets included.").waitFor();
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    const link = dialog.getByText(/\/invite\/\w+/);
    const first = await link.innerText();
    const [words, shown, copy] = await Promise.all([dialog.getByText(/Send them this link/), link, dialog.getByRole("button", { name: "Copy link" })].map((l) => l.boundingBox()));
    assert.ok(shown.y - (words.y + words.height) >= 8 && copy.y - (shown.y + shown.height) >= 8, "words, link and button do not touch");
    await page.keyboard.press("Escape");
    assert.ok(await row(owner.email).getByRole("button", { name: "Leave" }).isDisabled(), "nobody has joined yet");

    await page.getByRole("button", { name: "Invite member" }).click();
    await dialog.getByLabel("E-mail").fill("new@example.org");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("E-mail is invited already. New link in the list makes another link.").waitFor();
    await page.keyboard.press("Escape");

    // Another link ends the one before.
    await row("new@example.org").getByText("invited", { exact: true }).waitFor();
    await row("new@example.org").getByRole("button", { name: "New link" }).click();
    const second = await dialog.getByText(/\/invite\/\w+/).innerText();
    await page.keyboard.press("Escape");
    const guest = await openPage(browser, server);
    await guest.page.goto(first);
    await guest.page.getByText("This invitation does not work").waitFor();
    await guest.page.goto(second);
    await guest.page.getByRole("heading", { name: "Join Example Shop" }).waitFor();
    await guest.page.getByText("new@example.org", { exact: true }).waitFor();
    await guest.page.getByText("Everything, tokens, members and services’ secrets included.").waitFor();
    // There is no such account to join with, which looks like a wrong password.
    await guest.page.getByRole("button", { name: "I have an account" }).click();
    await guest.page.getByLabel("Password").fill("whatever it may be");
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await guest.page.getByText("E-mail or password is wrong.").waitFor();
    await guest.page.getByRole("button", { name: "I am new here" }).click();
    await guest.page.getByLabel("Your name").fill("Nora New");
    await guest.page.getByLabel("Password").fill("short");
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await guest.page.getByText("Password is too short; it needs 10 characters.").waitFor();
    await guest.page.getByLabel("Password").fill("correct horse battery");
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await guest.page.getByRole("button", { name: /Nora New/ }).waitFor();
    assert.deepEqual(guest.problems, []);
    await guest.context.close();

    await page.reload();
    await row("new@example.org").getByText("Nora New").waitFor();
    assert.ok(await row(owner.email).getByRole("button", { name: "Leave" }).isEnabled(), "there is another one now");
    await page.getByLabel("Role of new@example.org").selectOption("viewer");
    await until(async () => row(owner.email).getByRole("button", { name: "Leave" }).isDisabled());
    await row("new@example.org").getByRole("button", { name: "Remove" }).click();
    await page.getByText("They are signed out at once and can be added again.").waitFor();
    await page.getByRole("button", { name: "Remove member" }).click();
    await row("new@example.org").waitFor({ state: "hidden" });

    // An invitation can be taken back.
    await page.getByRole("button", { name: "Invite member" }).click();
    await dialog.getByLabel("E-mail").fill("late@example.org");
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText(/\/invite\/\w+/).waitFor();
    await page.keyboard.press("Escape");
    await row("late@example.org").getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Remove invitation" }).click();
    await row("late@example.org").waitFor({ state: "hidden" });

    // All of it is in the log, in sentences, with what changed folded in.
    await page.goto("/settings/audit");
    await page.getByText(/owner@example.org took back the invitation of late@example.org/).waitFor();
    await page.getByText(/new@example.org joined as new@example.org/).waitFor();
    const entry = page.locator("details").filter({ hasText: `${owner.email} invited new@example.org` });
    await entry.locator("summary").click();
    await entry.getByText("Admin", { exact: true }).waitFor();
    await page.getByText(/\d+ s ago owner@example.org removed /).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a token's change is told in the interface's words", async () => {
    const { body } = await v1(server, "POST", "/api_tokens", { name: "ci", role: "recorder" });
    assert.equal((await v1(server, "PUT", `/api_tokens/${body.id}`, { role: "viewer", active: false })).status, 200);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/audit");
    const entry = page.locator("details").filter({ hasText: "changed the token ci" });
    await entry.locator("summary").click();
    await entry.getByRole("row", { name: "Role Record Only View Only" }).waitFor();
    await entry.getByRole("row", { name: "Status Active Inactive" }).waitFor();

    // The log is searched by what was done and by who did it, and kept as a file.
    await page.getByRole("combobox", { name: "Did" }).selectOption("Tokens");
    await page.getByRole("combobox", { name: "Who" }).selectOption("The operator");
    await page.getByText(/^Nothing matches/).waitFor();
    await page.getByRole("combobox", { name: "Who" }).selectOption("Tokens");
    await page.waitForURL(/who=token/);
    await page.getByRole("searchbox", { name: "Search the audit log" }).fill("token ");
    await entry.waitFor();
    await page.waitForURL(/did=token/);
    await page.getByRole("textbox", { name: "From which address" }).fill("203.0.113");
    await page.getByText(/^Nothing matches/).waitFor();
    await page.getByRole("textbox", { name: "From which address" }).fill("127.0.0");
    await page.waitForURL(/from=127/);
    await entry.waitFor();
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "Export CSV" }).click();
    assert.equal((await file).suggestedFilename(), "audit.csv");
    await page.getByRole("searchbox", { name: "Search the audit log" }).fill("nobody at all");
    await page.getByText(/^Nothing matches/).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a name, a zone and sessions are one's own", async () => {
    const other = await visit(browser, server);
    const third = await visit(browser, server);
    const { context, page, problems } = await visit(browser, server);
    await page.goto("/settings/sessions");
    await page.getByLabel("Your name").fill("Olivia Owner");
    await page.getByRole("button", { name: "Save name" }).click();
    await page.getByRole("button", { name: /Olivia Owner/ }).waitFor(); // at the foot of the sidebar
    await page.getByText("this one").waitFor();
    await page.getByRole("button", { name: /^End \d+ others$/ }).click();
    await until(async () => (await page.getByRole("button", { name: "End session" }).count()) === 0);
    assert.equal((await other.context.request.get("/ui/api/session")).status(), 401);

    const signedIn = page.getByRole("row", { name: /this one/ }).getByRole("cell").nth(1);
    const here = await signedIn.innerText();
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await until(async () => (await signedIn.innerText().catch(() => here)) !== here, () => "times stay as they were");
    await page.getByLabel("Time zone").selectOption({ index: 0 });
    await until(async () => (await signedIn.innerText().catch(() => "")) === here);
    assert.deepEqual(problems, []);
    for (const c of [context, other.context, third.context]) await c.close();
  });

  test("usage: three numbers, a column a day, the limits, the metrics with most streams", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/usage");
    await page.getByRole("img", { name: /^Measurements a day, last 30 days: .* in all, most on .*, today .* so far$/ }).waitFor();
    for (const label of ["Streams", "Measurements stored", "On disk, about"]) await page.getByText(label, { exact: true }).first().waitFor();
    await page.getByRole("row", { name: /shop.latency 2 / }).waitFor();
    await page.getByRole("row", { name: /^Alerts \d+ .* 2,000 New ones cannot be saved\.$/ }).waitFor();
    await page.getByText(/^Whoever runs the server sets other limits with tidemark org limits '/).waitFor();
    await page.getByRole("link", { name: "shop.latency" }).click();
    await page.waitForURL(/\/metrics\?name=shop\.latency/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("usage over time: what is near its limit, and where it is going", async () => {
    const { page, problems } = await visit(browser, server);
    const day = 86_400;
    const today = Math.floor(Date.now() / 1000 / day) * day;
    const rising = (from, by, reaches_at) => ({ days: Array.from({ length: 30 }, (_, i) => ({ day: today - (29 - i) * day, use: from + by * i })), reaches_at });
    await page.route("**/ui/api/limits", async (route) => {
      const json = await (await route.fetch()).json();
      Object.assign(json.limits.find((l) => l.name === "streams"), { limit: 50_000, use: 41_210 });
      json.past = [{ name: "streams", ...rising(32_800, 290, today + 10 * day) }, { name: "rate", ...rising(3000, 0, null) }];
      await route.fulfill({ json });
    });
    await page.goto("/settings/usage");
    await page.getByRole("img", { name: /^Streams: between 32,800 and 41,210 of the last 30 days; the limit is 50,000, reached about .+ at this pace$/ }).waitFor();
    await page.getByText("limit 50,000", { exact: true }).waitFor();
    const shown = page.getByRole("group", { name: "Shown" });
    assert.deepEqual(await shown.getByRole("button").allInnerTexts(), ["Streams", "Measurements"]);
    await shown.getByRole("button", { name: "Measurements" }).click();
    await page.getByRole("img", { name: "Measurements a second: 3,000 on each of the last 30 days; the limit is 200,000" }).waitFor();
    await page.getByText("limit 200,000, far above").waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a tag is dropped, is in no new stream, and is recorded again", async () => {
    const send = (session) => v1(server, "POST", "/measurements", { measurements: [{ name: "cart.hits", value: 1, tags: { session, path: "a" } }] });
    for (let i = 0; i < 12; i++) assert.equal((await send(`s${i}`)).status, 202);
    const streams = async () => (await v1(server, "GET", "/metrics/cart.hits/streams")).body.query.total;
    assert.equal(await streams(), 12);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/usage");
    const list = page.getByRole("region", { name: "Dropped tags" });
    await list.getByRole("button", { name: "Drop a tag…" }).click();
    const dialog = page.getByRole("dialog", { name: "Drop a tag" });
    await dialog.getByRole("button", { name: "Drop tag" }).click();
    await dialog.getByText("Metric is missing.").waitFor();
    await dialog.getByLabel("Metric").fill("cart.*");
    await dialog.getByRole("button", { name: "session 12 values" }).click();
    assert.equal(await dialog.getByLabel("Tag", { exact: true }).inputValue(), "session");
    await dialog.getByRole("button", { name: "Drop tag" }).click();
    await page.getByText("session of cart.* is dropped from now on.").waitFor();
    await list.getByText(/session of cart\.\* since .* by owner@example\.org/).waitFor();

    for (const session of ["t1", "t2"]) assert.equal((await send(session)).status, 202);
    assert.equal(await streams(), 13, "one stream for all that came since");

    await list.getByRole("button", { name: "Record it again…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Record it again" }).click();
    await page.getByText("session of cart.* is recorded again.").waitFor();
    await list.getByText(/^None\./).waitFor();
    assert.equal((await send("t3")).status, 202);
    assert.equal(await streams(), 14);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("signing in: wrong, then right, and out", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/settings/tokens");
    await page.waitForURL(/\/signin/);
    // This server sends no mail.
    await page.getByText("Forgot your password? Whoever runs this server can set a new one with tidemark user passwd EMAIL.").waitFor();
    assert.equal(await page.getByRole("link", { name: "Forgot your password?" }).count(), 0);
    await page.getByLabel(/e-mail/i).fill(owner.email);
    await page.getByLabel(/password/i).fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("E-mail or password is wrong.").waitFor();
    await page.getByLabel(/password/i).fill(owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/tokens/);
    await page.getByRole("heading", { name: "API Tokens" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });
});
