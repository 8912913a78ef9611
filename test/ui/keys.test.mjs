// Keys and the search palette, in a real browser on the real binary. Run by
// node --test test/ui/.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { button, choose, hasFocus, press, tabBackTo, tabTo, type } from "./keyboard.mjs";
import { openPage, partOf, signIn, until, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, startShop } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("keys", () => {
  onServer(async () => {
    const server = await startShop();
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

  test("without a mouse: a picture is scheduled, sent, paused and deleted", async () => {
    await v1(server, "POST", "/services", { type: "slack", title: "Room", settings: { url: "http://127.0.0.1:1/" } });
    await page.goto(`/spaces/${await newSpace(server, "Pictures", { name: "Latency" })}`);
    await settled(page);
    const more = button(page.getByRole("main"), "More").first();
    await choose(page, more, "Send pictures…");
    const dialog = page.getByRole("dialog", { name: /^Send pictures/ });
    await press(page, "Schedule a picture", dialog);
    await hasFocus(page, dialog.getByLabel("Name"));
    await page.keyboard.type("Every Monday");
    await type(page, dialog.getByLabel("Sent", { exact: true }), "Every w");
    await tabTo(page, dialog.getByLabel("Room"));
    await page.keyboard.press("Space");
    await press(page, "Save", dialog);
    await dialog.getByText(/every Monday at/).waitFor();
    await press(page, "Send now: Every Monday", dialog);
    await page.getByText("Every Monday is drawn and sent now.").waitFor();
    const actions = button(dialog, "Actions for Every Monday");
    await choose(page, actions, "Pause");
    await dialog.getByText("Paused.").waitFor();
    await choose(page, actions, "Delete…");
    await press(page, "Delete schedule", page.getByRole("dialog", { name: "Delete Every Monday?" }));
    await actions.waitFor({ state: "detached" });
    await tabTo(page, button(dialog, "Schedule a picture")); // the focus did not leave the dialog
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await hasFocus(page, more);
    assert.deepEqual(problems, []);
  });

  test("without a mouse: a playlist is made, put in order and played", async () => {
    for (const name of ["Orders", "Refunds"]) await newSpace(server, name);
    await page.goto("/playlists");
    await press(page, "New playlist");
    await type(page, page.getByLabel("Name"), "Office");
    for (const name of ["Orders", "Refunds"]) {
      const space = page.getByLabel("Space", { exact: true });
      await space.waitFor();
      await (name === "Orders" ? tabTo : tabBackTo)(page, space);
      await page.keyboard.type(name);
      await press(page, "Add space");
    }
    const order = () => page.getByRole("listitem").locator("b").allInnerTexts();
    await tabBackTo(page, button(page, "Move Refunds up"));
    await page.keyboard.press("Enter");
    await until(async () => String(await order()) === "Refunds,Orders");
    // What was moved keeps the focus: it can be moved back at once.
    await hasFocus(page, button(page, "Move Refunds down"));
    await page.keyboard.press("Enter");
    await until(async () => String(await order()) === "Orders,Refunds");
    await hasFocus(page, button(page, "Move Refunds up"));
    await press(page, "Save playlist");
    await choose(page, button(page, "Actions for Office"), "Play");
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("heading", { name: "Refunds", level: 1 }).waitFor();
    await press(page, "Pause");
    await page.getByText("Office, 2 of 2, paused").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "Actions for Office").waitFor();
    assert.deepEqual(problems, []);
  });

  test("without a mouse: charts are selected, copied, moved and deleted, and come back", async () => {
    const other = await newSpace(server, "Other place");
    const id = await newSpace(server, "Many", { name: "One" }, { name: "Two" }, { name: "Three" });
    const names = async (space) => String((await v1(server, "GET", `/spaces/${space}/charts`)).body.map((c) => c.name).sort());
    const bar = page.getByRole("toolbar", { name: "Selected charts" });
    const select = async (...charts) => {
      for (const name of charts) {
        await tabTo(page, page.getByRole("checkbox", { name: `Select ${name}` }));
        await page.keyboard.press("Space");
      }
      await bar.getByText(`${charts.length} selected`).waitFor();
    };
    const take = async (to, action) => {
      await press(page, `${to} to space…`, bar);
      await type(page, page.getByLabel("Space", { exact: true }), "Other");
      await press(page, action);
      await page.getByRole("dialog").waitFor({ state: "detached" });
    };
    await page.goto(`/spaces/${id}`);
    await settled(page);
    await page.keyboard.press("e");
    await select("One", "Two");
    await press(page, "Copy to space…", bar);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape"); // the selection and the focus are as before
    await hasFocus(page, button(bar, "Copy to space…"));
    await take("Copy", "Copy charts");
    await until(async () => (await names(other)) === "One,Two");
    await press(page, "Clear the selection", bar);
    await select("Three");
    await take("Move", "Move chart");
    await until(async () => (await names(id)) === "One,Two" && (await names(other)) === "One,Three,Two");
    await select("One", "Two");
    await press(page, "Delete", bar);
    await until(async () => (await names(id)) === "");
    await page.keyboard.press("Control+z");
    await until(async () => (await names(id)) === "One,Two");
    assert.deepEqual(problems, []);
  });

  test("without a mouse: Explore is split, compared and saved, and says what changed", async () => {
    const end = Math.floor(now() / 60) * 60;
    const jump = Array.from({ length: 60 }, (_, i) => ({ name: "shop.queue", time: end - i * 60, tags: { host: "web-01" }, value: i < 9 ? 380 : 1 + (i % 2) }));
    await v1(server, "POST", "/measurements", { measurements: jump });
    await page.goto("/explore?metric=shop.latency&from=-1h");
    await settled(page);
    await page.keyboard.press("\\");
    const pane = page.getByRole("region", { name: "Query B", exact: true });
    await type(page, pane.getByRole("combobox", { name: "Metric" }), "shop.errors");
    await page.getByRole("option", { name: /shop\.errors/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/b\.metric=shop\.errors/);
    await choose(page, button(pane, "More for query B"), "What changed");
    const changed = page.getByRole("region", { name: "What changed at this moment" });
    const more = button(changed, "More for shop.queue host=web-01");
    await tabTo(page, button(changed, "Open as C: shop.queue host=web-01"));
    await page.keyboard.press("Enter");
    await page.waitForURL(/c\.metric=shop\.queue/);
    await choose(page, more, "Leave this metric out");
    await more.waitFor({ state: "detached" });
    await press(page, "Bring back shop.queue", changed);
    await more.waitFor();

    await choose(page, button(pane, "More for query B"), "Only this query");
    await page.waitForURL(/[?&]metric=shop\.errors/);
    await choose(page, button(page, "Compare"), /week/i);
    await page.waitForURL(/compare=/);

    await press(page, "Queries");
    await press(page, "Save this query…");
    await hasFocus(page, page.getByLabel("Name", { exact: true }));
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Errors of a week");
    await page.keyboard.press("Enter");
    await page.getByText("Saved as Errors of a week.").waitFor();
    await hasFocus(page, button(page, "Queries"));
    await page.keyboard.press("Enter");
    await press(page, "Delete Errors of a week");
    await press(page, "Delete", page.getByRole("dialog", { name: "Delete Errors of a week?" }));
    await page.getByText("None yet. Saved ones are there for everyone.").waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual(problems, []);
  });

  test("without a mouse: a function is found in the reference and inserted", async () => {
    await page.goto("/explore?q=s(%22shop.latency%22)");
    await press(page, "Function reference");
    const drawer = page.getByRole("dialog", { name: "Functions" });
    await hasFocus(page, drawer.getByRole("searchbox"));
    await page.keyboard.type("derive");
    await press(page, "Insert derive", drawer);
    await drawer.waitFor({ state: "detached" });
    const editor = page.getByRole("textbox", { name: "Composite" });
    await hasFocus(page, editor);
    assert.match(await editor.innerText(), /^derive\(/);
    assert.deepEqual(problems, []);
  });
});
