// Getting in, staying in and being kept out, in a real browser on the real
// binary. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { startIssuer, startMail } from "./others.mjs";
import { openPage, owner, signIn, until } from "./server.mjs";
import { phone, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const enter = async (page, who) => {
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.keyboard.press("Enter");
};

describe("signing in elsewhere", () => {
  let issuer;
  let person = { email: "ann@example.org", name: "Ann", groups: ["dev"] };
  onServer(async () => {
    issuer = await startIssuer(() => person);
    return startShop({
      TIDEMARK_OIDC_ISSUER: issuer.base,
      TIDEMARK_OIDC_CLIENT_ID: "tidemark",
      TIDEMARK_OIDC_CLIENT_SECRET: "s3cret",
      TIDEMARK_OIDC_TITLE: "Sign in with Example",
      TIDEMARK_OIDC_MEMBER_GROUPS: "dev",
    });
  });
  after(() => issuer?.stop());

  test("a group gives a role; who is in none is told so", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/alerts?state=firing");
    await page.waitForURL(/\/signin/);
    await page.getByRole("link", { name: "Sign in with Example" }).click();
    await page.waitForURL(`${server.base}/o/1/alerts?state=firing`);
    await page.getByRole("button", { name: "ann@example.org" }).or(page.getByText("Ann", { exact: true })).first().waitFor();
    await page.goto("/settings/members");
    await page.getByRole("row", { name: /ann@example\.org.*Member/ }).waitFor();
    assert.equal(await page.getByRole("link", { name: "API Tokens" }).count(), 0, "a Member manages no tokens");
    await context.clearCookies();

    person = { email: "eve@example.org", groups: ["sales"] };
    await page.goto("/signin");
    await page.getByRole("link", { name: "Sign in with Example" }).click();
    await page.getByText("None of your groups may use Tidemark. Ask an Admin.").waitFor();
    person = { email: "eve@example.org", groups: ["dev"], email_verified: false };
    await page.getByRole("link", { name: "Sign in with Example" }).click();
    await page.getByText("The sign-in service gives no verified e-mail address for you.").waitFor();
    // An issuer that says nothing of an address is not believed either.
    person = { email: owner.email, groups: ["dev"], email_verified: undefined };
    await page.goto("/signin");
    await page.getByRole("link", { name: "Sign in with Example" }).click();
    await page.getByText("The sign-in service gives no verified e-mail address for you.").waitFor();
    const own = problems.filter((p) => !p.startsWith(`foreign request: ${issuer.base}`));
    assert.deepEqual(own, []);
    await context.close();
  });
});

describe("with a password", () => {
  let mail;
  onServer(async () => {
    mail = await startMail();
    return startShop({
      TIDEMARK_SMTP_HOST: "127.0.0.1",
      TIDEMARK_SMTP_PORT: String(mail.port),
      TIDEMARK_SMTP_TLS: "none",
      TIDEMARK_SMTP_FROM: "Tidemark <metrics@example.org>",
    });
  });
  after(() => mail?.stop());

  test("after five wrong passwords even the right one waits", async () => {
    const who = { email: "guessed@example.org", password: "look do not touch" };
    server.cli(["user", "create", who.email, "--role", "viewer"], who.password);
    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/signin");
    for (let i = 0; i < 5; i++) {
      const answered = page.waitForResponse(/\/ui\/api\/session/);
      await enter(page, { ...who, password: `wrong ${i}` });
      assert.equal((await answered).status(), 401);
      await page.getByText("E-mail or password is wrong.").waitFor();
    }
    await enter(page, who);
    await page.getByText("Too many tries. Wait 2 minutes.").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a session is listed and ended elsewhere; the page asks and goes on", async () => {
    const here = await visit(browser, server);
    const there = await visit(browser, server, phone);
    await here.page.goto("/settings/general");
    await here.page.getByLabel("Name of the organization").fill("Example Shop of two");

    await there.page.goto("/settings/sessions");
    const others = there.page.getByRole("row").filter({ hasNotText: "this one" }).filter({ has: there.page.getByRole("button") });
    await others.first().waitFor();
    assert.ok((await there.page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "it fits a phone");
    const n = await others.count();
    for (let left = n; left > 0; left--) {
      await others.first().getByRole("button", { name: /^End/ }).click();
      await until(async () => (await others.count()) < left);
    }

    // What was typed is still there; signing in again repeats what was asked for.
    await here.page.getByRole("button", { name: "Save changes" }).click();
    const dialog = here.page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill("wrong password");
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await dialog.getByText("E-mail or password is wrong.").waitFor();
    await dialog.getByLabel("Password").fill(owner.password);
    await dialog.getByRole("button", { name: "Sign in" }).click();
    await here.page.getByText("The organization is renamed.").waitFor();
    await here.page.getByRole("button", { name: /Example Shop of two/ }).waitFor();
    for (const w of [here, there]) {
      assert.deepEqual(w.problems, []);
      await w.context.close();
    }
  });

  test("a password is reset by mail, once, and ends every session", async () => {
    const inside = await visit(browser, server);
    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/signin");
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    for (const said of ["E-mail is missing.", "Password is missing."]) await page.getByText(said).waitFor();
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await page.getByRole("heading", { name: "Choose a new password" }).waitFor(); // the page before has such a field too
    await page.getByLabel("E-mail").fill("ann");
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByText("E-mail is not an e-mail address.").waitFor();
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
    const resets = () => mail.mails.flatMap((m) => /http:\/\/\S+\/reset\/\S+/.exec(m) ?? []);
    const [link] = await until(() => resets().length > 0 && resets(), () => "no mail came");
    await page.goto(link);
    await page.getByLabel("Password").fill("short");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByText("Password is too short; it needs 10 characters.").waitFor();
    await page.getByLabel("Password").fill("another good password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await enter(page, { ...owner, password: "another good password" });
    await page.waitForURL(/\/spaces/);
    assert.equal((await inside.context.request.get("/ui/api/session")).status(), 401);
    await page.goto(link);
    await page.getByLabel("Password").fill("yet another password");
    await page.getByRole("button", { name: "Set password" }).click();
    await page.getByRole("alert").waitFor();

    // And back, by whoever has the machine.
    server.cli(["user", "passwd", owner.email], owner.password);
    await page.goto("/alerts");
    await page.waitForURL(/\/signin/);
    await enter(page, owner);
    await page.waitForURL(/\/alerts/);
    assert.deepEqual([...problems, ...inside.problems], []);
    await context.close();
    await inside.context.close();
  });

  test("an invitation goes by mail, and an account joins with its password", async () => {
    const id = /organization (\d+)/.exec(server.cli(["org", "create", "Other Shop"]))[1];
    const who = { email: "elsewhere@example.org", password: "known elsewhere only" };
    server.cli(["user", "create", who.email, "--role", "viewer", "--org", id], who.password);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/members");
    await page.getByRole("button", { name: "Invite member" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("E-mail").fill(who.email);
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText(/A mail with a link is on its way/).waitFor();
    assert.equal(await dialog.getByText(/\/invite\//).count(), 0, "the link is in the mail only");
    await page.keyboard.press("Escape");
    const links = () => mail.mails.flatMap((m) => /http:\/\/\S+\/invite\/\S+/.exec(m) ?? []);
    await until(() => links().length === 1, () => "no mail came");
    await page.getByRole("button", { name: "Invite member" }).click();
    await dialog.getByLabel("E-mail").fill(who.email);
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("E-mail is invited already. Send again in the list mails another link.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /elsewhere@example\.org/ }).getByRole("button", { name: "Send again" }).click();
    await until(() => links().length === 2, () => "no second mail came");

    const guest = await openPage(browser, server);
    await guest.page.goto(links()[1]);
    await guest.page.getByLabel("Password").fill("a second account");
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await guest.page.getByText(/has an account already/).waitFor();
    await guest.page.getByRole("button", { name: "I have an account" }).click();
    await guest.page.getByLabel("Password").fill(who.password);
    await guest.page.getByRole("button", { name: "Join", exact: true }).click();
    await guest.page.locator("nav").getByRole("button", { name: /Example Shop/ }).click();
    await guest.page.getByRole("menuitemcheckbox", { name: "Other Shop" }).waitFor();
    assert.deepEqual([...problems, ...guest.problems], []);
    await guest.context.close();
    await page.close();
  });

  test("one person in two organizations switches between them", async () => {
    const id = /organization (\d+)/.exec(server.cli(["org", "create", "Second Shop"]))[1];
    server.cli(["user", "create", owner.email, "--role", "viewer", "--org", id], owner.password);
    const { context, page, problems } = await visit(browser, server);
    await page.goto("/settings/members");
    await page.getByRole("button", { name: "Invite member" }).waitFor();
    await page.locator("nav").getByRole("button", { name: /Example Shop/ }).click();
    await page.getByRole("menuitemcheckbox", { name: "Second Shop" }).click();
    await page.locator("nav").getByRole("button", { name: "Second Shop" }).waitFor();
    await page.goto(`/o/${id}/settings/members`);
    await page.getByText("People who can sign in to Second Shop.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Invite member" }).count(), 0, "a Viewer there");
    assert.equal((await context.request.post(`/o/${id}/v1/spaces`, { data: { name: "x" } })).status(), 403);
    await page.reload();
    await page.locator("nav").getByRole("button", { name: "Second Shop" }).waitFor();
    await page.locator("nav").getByRole("button", { name: "Second Shop" }).click();
    await page.getByRole("menuitemcheckbox", { name: /Example Shop/ }).click();
    await page.locator("nav").getByRole("button", { name: /Example Shop/ }).waitFor();
    assert.equal((await context.request.post("/o/1/v1/spaces", { data: { name: "mine" } })).status(), 201);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("roles: what a person may not do is absent, and refused", async () => {
    const people = { member: { email: "member@example.org", password: "change most things" }, viewer: { email: "viewer@example.org", password: "look do not touch" } };
    for (const [role, who] of Object.entries(people)) server.cli(["user", "create", who.email, "--role", role, "--org", "1"], who.password);
    const pages = ["/spaces", "/alerts", "/annotations", "/metrics", "/settings/general", "/settings/services", "/settings/members", "/settings/usage"];
    const refused = {
      member: [["GET", "/v1/api_tokens"], ["POST", "/v1/api_tokens"], ["POST", "/ui/api/invitations"], ["GET", "/ui/api/audit"], ["PUT", "/ui/api/org"]],
      viewer: [["GET", "/v1/api_tokens"], ["POST", "/v1/spaces"], ["POST", "/v1/alerts"], ["POST", "/v1/services"], ["POST", "/v1/measurements"], ["PUT", "/ui/api/org"], ["DELETE", "/v1/metrics/shop.latency"]],
    };
    const absent = { member: /^(Invite|Remove|Generate)/, viewer: /^(Add|Invite|New|Delete|Edit(?!ed)|Remove|Generate|Save|Snooze(?!d)|Resolve|Import)/ };
    for (const [role, who] of Object.entries(people)) {
      const { context, page, problems } = await openPage(browser, server);
      await signIn(context, who);
      for (const path of pages) {
        await page.goto(path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await settled(page);
        const found = await page.getByRole("button", { name: absent[role] }).allInnerTexts();
        assert.deepEqual(found, [], `${role} on ${path}`);
      }
      await page.goto("/settings/general");
      await page.getByRole("link", { name: "Members" }).waitFor();
      for (const place of ["API Tokens", "Audit log"]) assert.equal(await page.getByRole("link", { name: place }).count(), 0, `${role}: ${place}`);
      for (const [method, path] of refused[role]) {
        const res = await context.request.fetch(path, { method, ...(method !== "GET" && { data: { name: "x" } }) });
        assert.equal(res.status(), 403, `${role}: ${method} ${path}`);
      }
      if (role === "member") assert.equal((await context.request.post("/v1/spaces", { data: { name: "theirs" } })).status(), 201);
      for (const path of ["/settings/tokens", "/settings/tokens/new"]) {
        await page.goto(path);
        await page.getByText("Only Admins manage tokens.").waitFor();
      }
      assert.deepEqual(problems, []);
      await context.close();
    }
  });
});
