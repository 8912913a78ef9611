// Every page and everything that opens over one, in both themes, for people who
// cannot see it or not well. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { openPage, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

let at;

/** An address for every route that has something in it. */
async function addresses() {
  const space = await newSpace(server, "Accessible", { name: "Latency" });
  const chart = (await v1(server, "GET", `/spaces/${space}/charts`)).body[0].id;
  const service = (await v1(server, "POST", "/services", { type: "webhook", title: "Hook", settings: { url: "http://127.0.0.1:1/" } })).body;
  const condition = { type: "above", metric_name: "shop.latency", threshold: 5 };
  const alert = (await v1(server, "POST", "/alerts", { name: "latency.high", conditions: [condition], services: [service.id] })).body;
  await v1(server, "POST", `/alerts/${alert.id}/test`);
  await v1(server, "POST", "/annotations/deploys", { title: "deploy 4.18.2", start_time: now() - 600 });
  const objective = (await v1(server, "POST", "/objectives", { name: "Answers", good_metric: "shop.errors", total_metric: "shop.requests", target: 99 })).body;
  const token = (await v1(server, "GET", "/api_tokens")).body.api_tokens[0].id;
  const admin = await visit(browser, server);
  const invitation = await (await admin.context.request.post("/ui/api/invitations", { data: { email: "new@example.org", role: "member" } })).json();
  await admin.context.close();
  const s = `/spaces/${space}`;
  return {
    "/": "/", "/more": "/more", "/spaces": "/spaces", "/spaces/$id": s, "/spaces/$id/wall": `${s}/wall`,
    "/spaces/$id/charts/$chart": `${s}/charts/${chart}`, "/spaces/$id/charts/$chart/edit": `${s}/charts/${chart}/edit`, "/spaces/$id/charts/new": `${s}/charts/new`,
    "/s/$key": "/s/nothing", "/explore": "/explore?metric=shop.latency", "/metrics": "/metrics?name=shop.latency",
    "/alerts": "/alerts", "/alerts/new": "/alerts/new?metric=shop.latency", "/alerts/$id": `/alerts/${alert.id}`, "/alerts/$id/edit": `/alerts/${alert.id}/edit`,
    "/checks": "/checks", "/maintenance": "/maintenance", "/objectives": "/objectives", "/objectives/$id": `/objectives/${objective.id}`, "/annotations": "/annotations", "/annotations/$name": "/annotations/deploys", "/send": "/send",
    "/settings": "/settings", "/tokens": "/settings/tokens", "/tokens/new": "/settings/tokens/new", "/$id": `/settings/tokens/${token}`,
    "/$id/delete": `/settings/tokens/${token}/delete`, "/tokens/$id/rotate": `/settings/tokens/${token}/rotate`, "/general": "/settings/general",
    "/members": "/settings/members", "/services": "/settings/services", "/usage": "/settings/usage", "/sessions": "/settings/sessions", "/security": "/settings/security", "/audit": "/settings/audit",
    "/organization/tokens": "/organization/tokens", $: "/no-such-page", "/signin": "/signin", "/signin/second": "/signin/second", "/enrol": "/enrol", "/setup/$key": "/setup/nothing", "/reset": "/reset", "/reset/$key": "/reset/nothing", "/acknowledge/$key": "/acknowledge/nothing", "/invite/$key": new URL(invitation.url).pathname,
  };
}

/** What opens over a page: where, and how. */
const layers = (page) => ({
  "the palette": [at["/spaces"], async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("shop");
    await page.getByRole("option", { name: /shop.latency/ }).first().waitFor();
  }],
  "the keys": [at["/spaces"], () => page.keyboard.press("?")],
  "a new space": [at["/spaces"], () => page.getByRole("button", { name: "New space" }).first().click()],
  "sharing a space": [at["/spaces/$id"], () => page.getByRole("button", { name: "Share" }).click()],
  "the time picker": [at["/spaces/$id"], () => page.keyboard.press("t")],
  "the menu of a token": [at["/tokens"], () => page.getByRole("button", { name: /^Actions for/ }).first().click()],
  "the menu of organizations": [at["/spaces"], () => page.locator("nav").getByRole("button", { name: /Example Shop/ }).click()],
  "discarding changes": [at["/$id"], async () => {
    await page.getByRole("dialog").getByLabel("Name").fill("other");
    await page.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("dialog", { name: /Discard changes/ }).waitFor();
  }],
  "inviting a member": [at["/members"], () => page.getByRole("button", { name: "Invite member" }).click()],
  "nothing arriving": [at["/send"], () => page.getByRole("tab", { name: "Other" }).click()],
});

/** Likewise, and on a phone too. */
const layersEverywhere = (page) => ({
  "a metric's properties": [at["/metrics"], async () => {
    await page.getByRole("button", { name: "Edit properties" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).waitFor();
  }],
  "a service": [at["/services"], async () => {
    await page.getByRole("button", { name: "Hook", exact: true }).click();
    await page.getByRole("dialog").getByLabel("Title").waitFor();
  }],
  "deleting a service": [`${at["/services"]}?open=1-delete`, () => page.getByRole("dialog").getByRole("button", { name: "Keep it" }).waitFor()],
  "a delivery": [at["/alerts/$id"], async () => {
    await page.getByRole("button", { name: /^Hook/ }).first().click();
    await page.getByRole("dialog").locator("pre").waitFor();
  }],
  "the palette of a page": [at["/spaces/$id"], async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("shop");
    await page.getByRole("option").first().waitFor();
  }],
  "importing a space": [at["/spaces/$id"], async () => {
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Import JSON…" }).click();
    await page.getByRole("dialog").getByLabel("Or paste it").waitFor();
  }],
  // The last one: afterwards nobody is signed in.
  "signing in again": [at["/general"], async () => {
    await page.getByLabel("Name of the organization").fill("Another name");
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
  }],
});

let themes = ["light", "dark"];

/**
 * The page as it is, looked at by axe in both themes, since it follows the
 * system at once. The next page is loaded in the theme in which this one ends:
 * one half in the light, the other in the dark.
 */
async function inBothThemes(page, what) {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    await accessible(page, `${what}, ${colorScheme}`);
  }
  themes = themes.reverse();
}

/** Each layer in turn. */
async function lookAt(page, layers, how) {
  for (const [what, [path, open]] of Object.entries(layers)) {
    await page.goto(path);
    await settled(page);
    await open().catch((err) => assert.fail(`${what} (${how}): ${err.message}`));
    await inBothThemes(page, `${what} (${how})`);
  }
}

describe("accessible", () => {
  onServer();
  before(async () => {
    at = await addresses();
  });

  test("every route of the interface is looked at here", () => {
    const source = readFileSync(new URL("../../ui/src/routes.tsx", import.meta.url), "utf8");
    const routes = [...source.matchAll(/path: "([^"]+)"/g)].map((m) => m[1]);
    assert.deepEqual(routes.filter((r) => !(r in at)), []);
    assert.deepEqual(Object.keys(at).filter((r) => !routes.includes(r)), []);
  });

  test("every page", async () => {
    const { context, page, problems } = await visit(browser, server);
    for (const path of Object.values(at)) {
      await page.goto(path);
      await inBothThemes(page, path);
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what opens over pages", async () => {
    const { context, page, problems } = await visit(browser, server);
    await lookAt(page, { ...layers(page), ...layersEverywhere(page) }, "wide");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what opens over pages on a phone", async () => {
    const { context, page, problems } = await visit(browser, server, phone);
    await lookAt(page, layersEverywhere(page), "phone");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone, with one heading of the first rank on every page", async () => {
    const { context, page, problems } = await visit(browser, server, phone);
    const wrong = [];
    for (const path of Object.values(at)) {
      await page.goto(path);
      await settled(page);
      await accessible(page, `${path} (phone)`);
      const found = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, first: document.querySelectorAll("h1").length, main: document.querySelectorAll("main").length }));
      if (found.wide > 390) wrong.push(`${path} is ${found.wide} px wide`);
      if (found.main !== 1) wrong.push(`${path} has ${found.main} main parts`);
      if (found.first > 1) wrong.push(`${path} has ${found.first} headings of the first rank`);
      // As small as it gets, and a wide window enlarged twofold.
      for (const [width, height] of [[320, 640], [720, 450]]) {
        await page.setViewportSize({ width, height });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        if (wide > width) wrong.push(`${path} is ${wide} px wide at ${width}`);
      }
      await page.setViewportSize(phone.viewport);
    }
    assert.deepEqual(wrong, []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("keys alone: what floats gives the focus back, and nothing holds it", async () => {
    const { context, page, problems } = await visit(browser, server);
    const focused = (name) => page.waitForFunction((n) => document.activeElement?.textContent?.includes(n), name);
    await page.goto(at["/spaces/$id"]);
    await settled(page);
    const range = page.getByRole("button", { name: /^Last/ });
    await range.focus();
    for (const [open, leave] of [["Enter", "Escape"], ["Enter", "Shift+Tab"]]) {
      await page.keyboard.press(open);
      await page.getByRole("dialog", { name: "Time range" }).getByRole("textbox").first().waitFor();
      if (leave === "Shift+Tab") await page.getByRole("button", { name: "Last 15 minutes" }).focus();
      await page.keyboard.press(leave);
      await page.getByRole("dialog", { name: "Time range" }).waitFor({ state: "detached" });
      await focused("Last");
    }
    await page.goto(at["/explore"]);
    await settled(page);
    const metric = page.getByRole("combobox", { name: "Metric" });
    await metric.focus();
    await page.getByRole("option", { name: /shop.latency/ }).waitFor();
    await page.keyboard.press("Tab");
    await focused("Filter by tag");
    await metric.focus();
    await metric.fill("shop.err");
    await page.getByRole("option", { name: /shop.errors/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/metric=shop.errors/);
    assert.ok(await metric.evaluate((e) => e === document.activeElement), "the field keeps the focus");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("an address that leads nowhere keeps the sidebar, and strangers go to the door", async () => {
    const { context, page } = await visit(browser, server);
    await page.goto("/no-such-page");
    await page.getByRole("heading", { name: "There is no such page." }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Alerts" }).waitFor();
    await context.close();
    const stranger = await openPage(browser, server);
    await stranger.page.goto("/no-such-page");
    await stranger.page.waitForURL(/\/signin\?next=/);
    await stranger.context.close();
  });
});
