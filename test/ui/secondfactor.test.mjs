// Second factors: set up, used, demanded, lost, and proving again who one is.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setUpApp, totp } from "./app.mjs";
import { accessible, accessibleInBoth } from "./axe.mjs";
import { openPage, owner, signIn } from "./server.mjs";
import { phone, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** A server that is reached by name, which passkeys need. */
const named = async () => {
  const made = await startShop();
  return { ...made, base: made.base.replace("127.0.0.1", "localhost") };
};

const newcomer = (role, n) => {
  const who = { email: `${n}@example.org`, password: "let me in, please" };
  server.cli(["user", "create", who.email, "--role", role, "--org", "1"], who.password);
  return who;
};

const password = async (page, who) => {
  await page.getByLabel("E-mail").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.keyboard.press("Enter");
};

/** Somebody whose session is gone. First the page is left: it would go to the door by itself, and be in the way of where the journey goes next. */
async function signedOut(context, page) {
  await page.goto("about:blank");
  await context.clearCookies();
}

describe("second factors", () => {
  onServer(named);

  test("an app is set up and asked for; a recovery code works once", async () => {
    const who = newcomer("member", "ann");
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context, who);
    await page.goto("/settings/security");
    const { seed, codes } = await setUpApp(page);
    assert.equal(codes.length, 10);
    await accessible(page, "security, with codes");
    await page.getByLabel("I have stored them").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("10 left of 10").waitFor();

    // A session that ended meanwhile asks for both where one is.
    await context.clearCookies();
    await page.getByRole("button", { name: "Make new codes" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Make new codes" }).click();
    await page.getByRole("dialog", { name: "Sign in again" }).getByLabel("Password").fill(who.password);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "One more step" }).waitFor();
    await accessibleInBoth(page, "the second step over a page", '[role="dialog"]');
    await signedOut(context, page);

    await page.goto("/alerts");
    await page.waitForURL(/\/signin/);
    await password(page, who);
    await page.getByRole("heading", { name: "One more step" }).waitFor();
    await accessible(page, "the second step");
    await page.getByLabel("Code from your authenticator app").fill("123456");
    await page.getByText("This code is wrong or too old. Wait for the next one.").waitFor();
    await page.getByLabel("Code from your authenticator app").fill(totp(seed));
    // The address of the second step names where it leads, too.
    await page.waitForURL((u) => u.pathname.endsWith("/alerts"));
    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();

    await signedOut(context, page);
    await page.goto("/signin");
    await password(page, who);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill(codes[0].toUpperCase());
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("9 codes are left.").waitFor();
    await page.getByRole("button", { name: "Go on" }).click();
    await page.waitForURL(/\/spaces/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a passkey is made, named and signs in alone", async () => {
    const who = newcomer("member", "bob");
    const { context, page, problems } = await openPage(browser, server, phone);
    await signIn(context, who);
    const cdp = await context.newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    });
    await page.goto("/settings/security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Name this passkey" });
    await dialog.getByLabel("Name").fill("Work laptop");
    await accessibleInBoth(page, "the name of a passkey", '[role="dialog"]');
    await dialog.getByRole("button", { name: "Save passkey" }).click();
    await page.getByRole("list", { name: "Recovery codes" }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, "it fits a phone");
    await page.getByLabel("I have stored them").check();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("button", { name: "More about Work laptop" }).click();
    await accessibleInBoth(page, "the menu of a passkey", '[role="menu"]');

    await signedOut(context, page);
    await page.goto("/signin");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
    await page.waitForURL(/\/spaces/);
    await signedOut(context, page);
    await page.goto("/signin");
    await password(page, who); // the browser answers the second step by itself
    await page.waitForURL(/\/spaces/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what is risky asks again after ten minutes, and goes on", async () => {
    const { page, problems } = await visit(browser, server);
    let stale = true;
    await page.route("**/v1/api_tokens", async (route) => {
      if (route.request().method() !== "POST" || !stale) return route.fallback();
      await route.fulfill({ status: 403, json: { errors: { request: ["Prove again that it is you."] }, code: "prove_again" } });
    });
    await page.goto("/settings/tokens/new");
    await page.getByLabel("Name").fill("risky");
    await page.getByRole("button", { name: "Generate token" }).click();
    const dialog = page.getByRole("dialog", { name: "Prove that it is you" });
    await dialog.getByLabel("Password").fill("wrong password");
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await dialog.getByText("Is wrong").waitFor();
    await accessibleInBoth(page, "proving again", '[role="dialog"]');
    stale = false;
    await dialog.getByLabel("Password").fill(owner.password);
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await page.getByText(/tmk_\w+/).first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("demanded: who has none sets one up first; sessions end everywhere", async () => {
    const who = newcomer("viewer", "cid");
    const admin = await visit(browser, server);
    await admin.page.goto("/settings/general");
    await admin.page.getByLabel("Members need a second factor").click();
    await admin.page.getByText("You have no second factor yourself.").waitFor();
    await admin.page.goto("/settings/security");
    await setUpApp(admin.page);
    await admin.page.goto("/settings/general");
    await admin.page.getByLabel("Members need a second factor").click();
    await admin.page.getByRole("checkbox", { name: "Members need a second factor", checked: true }).waitFor();

    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/alerts");
    await page.waitForURL(/\/signin/);
    await password(page, who);
    await page.getByRole("heading", { name: "Example Shop asks for a second factor" }).waitFor();
    assert.equal((await context.request.get("/v1/alerts")).status(), 403);
    await accessible(page, "setting up what is demanded");
    await setUpApp(page);
    await page.getByRole("button", { name: "Go on to Example Shop" }).click();
    await page.waitForURL((u) => u.pathname.endsWith("/alerts"));

    await admin.page.goto("/settings/members");
    const row = admin.page.getByRole("row", { name: /cid@example\.org/ });
    await row.getByText("second factor").waitFor();
    await row.getByRole("button", { name: "Sign out" }).click();
    await admin.page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await admin.page.getByText("cid@example.org is signed out.").waitFor();
    assert.equal((await context.request.get("/ui/api/session")).status(), 401);

    await admin.page.goto("/settings/sessions");
    await admin.page.getByRole("button", { name: "Sign out everywhere" }).click();
    await admin.page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await admin.page.waitForURL(/\/signin/);
    server.cli(["user", "reset-second-factor", owner.email]);
    await signIn(admin.context);
    assert.deepEqual([...problems, ...admin.problems], []);
    await context.close();
    await admin.context.close();
  });
});
