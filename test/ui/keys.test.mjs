// Keys and the search palette, in a real browser on the real binary. Run by
// node --test test/ui/.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { openPage, partOf, setUp, signIn, startServer, until, v1 } from "./server.mjs";
import { phone } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("keys", () => {
  onServer(async () => {
    const server = await startServer();
    await setUp(server);
    await v1(server, "POST", "/measurements", { tags: { host: "web-01" }, measurements: [{ name: "checkout.requests", value: 1525 }] });
    await v1(server, "POST", "/spaces", { name: "Checkout production" });
    await v1(server, "POST", "/api_tokens", { name: "checkout-service", role: "recorder" });
    return server;
  });
  let context, page, problems;
  before(async () => {
    ({ context, page, problems } = await openPage(browser, server));
    await signIn(context);
    await page.goto("/settings/general");
    await page.getByRole("heading", { name: "General" }).waitFor();
  });
  after(() => context?.close());

  test("g and a letter go places", async () => {
    const places = { s: /\/spaces/, e: /\/explore/, m: /\/metrics/, a: /\/alerts/, n: /\/annotations/, t: /\/settings\/tokens/ };
    for (const [key, url] of Object.entries(places)) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL(url);
    }
  });

  test("a tour of five steps points out the places, and can be skipped; on a phone too", async () => {
    for (const [options, path] of [[{}, "/spaces"], [phone, "/more"]]) {
      const { context, page: window, problems } = await openPage(browser, server, options);
      await signIn(context);
      await window.goto(path);
      const begin = async () => {
        await window.getByRole("button", { name: "owner@example.org" }).click();
        await window.getByRole("menuitem", { name: "Take the tour" }).click();
      };
      await begin();
      const card = window.getByRole("region", { name: "Tour" });
      for (let step = 1; step < 5; step++) {
        await card.getByText(`${step} of 5`).waitFor();
        const { x, y, width, height } = await card.boundingBox();
        const size = window.viewportSize();
        assert.ok(x >= 0 && y >= 0 && x + width <= size.width && y + height <= size.height, `step ${step} is in sight`);
        if (step === 2) await accessible(window, "a step of the tour");
        await window.keyboard.press("Enter");
      }
      await card.getByText("5 of 5").waitFor();
      await card.getByRole("button", { name: "Back" }).click();
      await card.getByText("4 of 5").waitFor();
      await window.keyboard.press("Enter");
      await card.getByRole("button", { name: "Done" }).click();
      await card.waitFor({ state: "detached" });
      await begin();
      await card.getByText("1 of 5").waitFor();
      await window.keyboard.press("Escape");
      await card.waitFor({ state: "detached" });
      await begin();
      await card.getByRole("button", { name: "Skip the tour" }).click();
      await card.waitFor({ state: "detached" });
      assert.equal(await window.locator("[data-toured]").count(), 0);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });

  test("Help opens the documents that the server carries", async () => {
    const opened = context.waitForEvent("page");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Help" }).click();
    const docs = await opened;
    await docs.waitForURL("/docs/");
    await docs.getByRole("heading", { level: 1 }).waitFor();
    await docs.close();
  });

  test("the page's own: search, new, rows, fold, help", async () => {
    await page.getByRole("link", { name: "checkout-service" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("gt"); // in a field, keys are letters
    assert.equal(await page.getByRole("searchbox").inputValue(), "gt");
    await page.getByRole("searchbox").fill("");
    await page.getByRole("searchbox").blur();
    await page.keyboard.press("[");
    await page.locator("[data-folded=true]").waitFor();
    await page.keyboard.press("[");
    await page.locator("[data-folded=false]").waitFor();
    await page.keyboard.press("?");
    const help = page.getByRole("dialog", { name: "Keys" });
    await help.getByText("Generate New API Token").waitFor();
    await help.getByText("Alt click").waitFor();
    assert.equal(await help.getByRole("link", { name: "Documentation" }).getAttribute("href"), "/docs/");
    await help.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await help.waitFor({ state: "hidden" });
    await page.keyboard.press("c");
    await page.keyboard.press("Control+k"); // only single keys are turned off
    await page.getByRole("combobox").waitFor();
    assert.match(page.url(), /\/settings\/tokens(\?|$)/);
    await page.keyboard.press("Escape");
    await page.evaluate(() => localStorage.removeItem("tidemark.keys"));
    await page.keyboard.press("c");
    await page.waitForURL(/tokens\/new/);
  });

  test("the palette answers, filters and remembers", async () => {
    await page.goto("/alerts");
    await page.getByRole("heading", { name: "Alerts" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("check");
    const line = (name) => page.getByRole("option", { name });
    await line(/Checkout production.*0 charts/).waitFor();
    await line(/checkout\.requests.*1,525.*1 stream/).waitFor();
    await line("New alert on checkout.requests").waitFor();
    await line(/Open API token checkout-service.*Record Only, never used/).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("# check");
    await until(async () => (await page.getByRole("option").count()) === 1);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("> token");
    await line("Generate New API Token").waitFor();
    assert.equal(await line(/^checkout\.requests/).count(), 0);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("production");
    await line(/Checkout production/).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/spaces\/\d+/);
    await page.keyboard.press("Control+k");
    await line(/Checkout production/).waitFor(); // the last places, before anything is typed
    await page.keyboard.press("Escape");
  });

  test("letters typed before the palette is there are kept", async () => {
    const slow = await openPage(browser, server);
    await signIn(slow.context);
    let release;
    const held = new Promise((r) => (release = r));
    await slow.page.route(`**/${partOf("src/shell/Palette.tsx")}`, async (route) => {
      await held;
      await route.continue();
    });
    await slow.page.goto("/spaces");
    await slow.page.getByRole("button", { name: /Search/ }).first().focus();
    await slow.page.keyboard.press("Control+k");
    await slow.page.keyboard.type("producx");
    await slow.page.keyboard.press("Backspace");
    release();
    await slow.page.getByRole("option", { name: /Checkout production/ }).waitFor();
    await slow.page.keyboard.type("tion");
    assert.equal(await slow.page.getByRole("combobox").inputValue(), "production");
    await slow.page.keyboard.press("Escape");
    await until(() => slow.page.evaluate(() => /Search/.test(document.activeElement?.textContent ?? ""), "the focus goes back"));
    assert.deepEqual(slow.problems, []);
    await slow.context.close();
  });

  test("Ctrl+Z takes back what the note is about", async () => {
    const { body } = await v1(server, "GET", "/api_tokens?length=100");
    const { id } = body.api_tokens.find((t) => t.name === "checkout-service");
    await page.goto("/settings/tokens");
    await page.getByRole("button", { name: "Actions for checkout-service" }).click();
    await page.getByRole("menuitem", { name: "Set Inactive" }).click();
    await page.getByText("checkout-service is Inactive.").waitFor();
    await page.keyboard.press("Control+z");
    await until(async () => (await v1(server, "GET", `/api_tokens/${id}`)).body.active);
    assert.deepEqual(problems, []);
  });
});
