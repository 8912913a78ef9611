// The whole product below a path of a host that has other things too.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage, owner, until, v1 } from "./server.mjs";
import { newSpace, settled, startShop } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("below a path", () => {
  onServer(() => startShop({ TIDEMARK_PUBLIC_URL: (base) => `${base}/tidemark` }));

  test("sign in, look, change, sign out: every request stays below it", async () => {
    const space = await newSpace(server, "Below", { name: "latency" });
    const { context, page, problems } = await openPage(browser, server);
    const asked = [];
    page.on("request", (r) => asked.push(r.url()));

    await page.goto(`/tidemark/spaces/${space}`);
    await page.waitForURL((u) => u.pathname === "/tidemark/signin");
    await page.getByLabel("E-mail").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL((u) => /^\/tidemark\/o\/\d+\/spaces\/\d+$/.test(u.pathname));
    await page.getByRole("heading", { name: "Below" }).waitFor();
    await settled(page);

    await page.getByRole("link", { name: "Alerts" }).first().click();
    await page.waitForURL((u) => /^\/tidemark\/o\/\d+\/alerts$/.test(u.pathname));
    await page.getByRole("heading", { name: "Alerts", exact: true }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Below" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Below" }).waitFor();

    const [documents] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Help", exact: true }).click()]);
    await documents.waitForURL((u) => u.pathname === "/tidemark/docs/");
    await documents.getByRole("heading").first().waitFor();
    await documents.close();
    await page.keyboard.press("?");
    assert.equal(await page.getByRole("link", { name: "Documentation" }).getAttribute("href"), "/tidemark/docs/");
    await page.keyboard.press("Escape");

    const gate = (value) => v1(server, "POST", "/measurements", { measurements: [{ name: "below.gate", value, tags: { host: "a" } }] });
    await gate(1);
    await v1(server, "POST", "/alerts", { name: "below.gate", conditions: [{ type: "above", metric_name: "below.gate", threshold: 5 }] });
    const told = page.getByRole("link", { name: "Alerts 1 firing" });
    await until(async () => (await gate(9)) && (await told.count()) > 0, () => "the page does not hear of an alert", 60_000);

    await page.goto("/tidemark/settings/sessions");
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.waitForURL((u) => u.pathname === "/tidemark/signin");

    assert.deepEqual(asked.filter((a) => !a.startsWith(`${server.base}/tidemark/`)), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("programs, documents and links are below it too", async () => {
    const at = (path, init) => fetch(`${server.base}${path}`, { redirect: "manual", ...init });
    assert.equal((await at("/tidemark")).headers.get("location"), "/tidemark/");
    assert.equal((await at("/tidemark/docs/")).status, 200);
    assert.equal((await at("/tidemark/healthz")).status, 200);
    const auth = { Authorization: `Basic ${btoa(`${server.token}:`)}`, "Content-Type": "application/json" };
    const made = await at("/tidemark/v1/spaces", { method: "POST", headers: auth, body: JSON.stringify({ name: "by a program" }) });
    assert.equal(made.status, 201);
    assert.match(made.headers.get("location"), /^\/tidemark\/v1\/spaces\/\d+$/);
    assert.equal((await at(made.headers.get("location"), { headers: auth })).status, 200);
  });
});
