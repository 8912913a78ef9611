// Every page and everything that opens over one, in both themes, for people who
// cannot see it or not well. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, describe, test } from "node:test";
import { accessible, colours } from "./axe.mjs";
import { closeLayers, layer, layersOf, layersOnPhone, namesOf, neverOpened, openLayer } from "./layers.mjs";
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
  const playlist = (await (await admin.context.request.post("/ui/api/playlists", { data: { name: "Office", spaces: [{ space, seconds: 600, range: "-1h" }, { space, seconds: 600 }] } })).json()).id;
  const invitation = await (await admin.context.request.post("/ui/api/invitations", { data: { email: "new@example.org", role: "member" } })).json();
  await admin.context.close();
  const s = `/spaces/${space}`;
  return {
    "/": "/", "/more": "/more", "/spaces": "/spaces", "/spaces/$id": s, "/spaces/$id/wall": `${s}/wall`, "/spaces/$id/history": `${s}/history`, "/spaces/$id/history/$save": `${s}/history/1`,
    "/playlists": "/playlists", "/playlists/$id": `/playlists/${playlist}`, "/playlists/$id/play": `/playlists/${playlist}/play`, "/s/$key/wall": "/s/nothing/wall",
    "/spaces/$id/charts/$chart": `${s}/charts/${chart}`, "/spaces/$id/charts/$chart/edit": `${s}/charts/${chart}/edit`, "/spaces/$id/charts/new": `${s}/charts/new`,
    "/s/$key": "/s/nothing", "/explore": "/explore?metric=shop.latency", "/metrics": "/metrics?name=shop.latency",
    "/alerts": "/alerts", "/alerts/new": "/alerts/new?metric=shop.latency", "/alerts/$id": `/alerts/${alert.id}`, "/alerts/$id/edit": `/alerts/${alert.id}/edit`,
    "/checks": "/checks", "/maintenance": "/maintenance", "/objectives": "/objectives", "/objectives/$id": `/objectives/${objective.id}`, "/annotations": "/annotations", "/annotations/$name": "/annotations/deploys", "/send": "/send",
    "/settings": "/settings", "/tokens": "/settings/tokens", "/tokens/new": "/settings/tokens/new", "/$id": `/settings/tokens/${token}`,
    "/$id/delete": `/settings/tokens/${token}/delete`, "/tokens/$id/rotate": `/settings/tokens/${token}/rotate`, "/general": "/settings/general",
    "/members": "/settings/members", "/services": "/settings/services", "/usage": "/settings/usage", "/sessions": "/settings/sessions", "/security": "/settings/security", "/notifications": "/settings/notifications", "/deleted": "/settings/deleted", "/audit": "/settings/audit",
    "/organization/tokens": "/organization/tokens", "/operator/limits": "/operator/limits", "/operator/machines": "/operator/machines", $: "/no-such-page", "/signin": "/signin", "/signin/second": "/signin/second", "/enrol": "/enrol", "/setup/$key": "/setup/nothing", "/reset": "/reset", "/reset/$key": "/reset/nothing", "/acknowledge/$key": "/acknowledge/nothing", "/invite/$key": new URL(invitation.url).pathname,
  };
}

let themes = ["light", "dark"];

/** Shown in a theme, and drawn: two frames later so is what follows it by script. */
const shownIn = (page, colorScheme, options) =>
  page.waitForFunction((scheme) => {
    if (document.documentElement.dataset.scheme !== scheme) return false;
    if (globalThis.themed?.scheme !== scheme) globalThis.themed = { scheme, frames: 0 };
    return ++globalThis.themed.frames > 2;
  }, colorScheme, options);

/** The browser may lose the change where the page was resized just before: then it is made once more. */
async function switchTheme(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await shownIn(page, colorScheme, { timeout: 5_000 }).catch(async () => {
    await page.emulateMedia({ colorScheme: colorScheme === "dark" ? "light" : "dark" });
    await page.emulateMedia({ colorScheme });
    await shownIn(page, colorScheme);
  });
}

/**
 * The page as it is, looked at by axe in both themes, since it follows the
 * system at once. The next page is loaded in the theme in which this one ends:
 * one half in the light, the other in the dark. The second look is for colours
 * only.
 */
async function inBothThemes(page, what, part) {
  await settled(page);
  for (const [i, colorScheme] of themes.entries()) {
    await switchTheme(page, colorScheme).catch((err) => assert.fail(`${what} is not ${colorScheme}: ${err.message}`));
    await accessible(page, `${what}, ${colorScheme}`, i > 0 ? colours : undefined, part);
  }
  themes = themes.reverse();
}

/**
 * To another page as a link leads there, without loading the interface and axe
 * once more: that takes longer than looking at it.
 */
async function follow(page, path) {
  if (page.url() === "about:blank") await page.goto(path);
  else await page.evaluate((to) => history.pushState({}, "", to), path);
  await settled(page);
}

/** Each layer of each page in turn, closed again before the next; the page below was looked at. Returns their names, and what is wrong. */
async function lookAt(page, layers, how) {
  const [names, wrong] = [[], []];
  for (const [path, list] of Object.entries(layers)) {
    await follow(page, path);
    for (const steps of list) {
      const what = `${steps.map((s) => (typeof s === "function" ? s.name : s)).join(", ")} of ${path} (${how})`;
      try {
        await openLayer(page, steps);
        await inBothThemes(page, what, `${layer}, [role="toolbar"]`);
        names.push(...(await namesOf(page)));
        await closeLayers(page);
      } catch (err) {
        wrong.push(`${what}: ${err.message}`);
        await page.goto(path);
        await settled(page);
      }
    }
  }
  return { names, wrong };
}

/** The size of the window, as a browser on a desk or on a phone has it. */
async function resizer(page) {
  const wire = await page.context().newCDPSession(page);
  let touched = false;
  return async ({ width, height }, mobile = false) => {
    await wire.send("Emulation.setDeviceMetricsOverride", { width, height, mobile, deviceScaleFactor: 1 });
    if (mobile !== touched) await wire.send("Emulation.setTouchEmulationEnabled", { enabled: mobile });
    touched = mobile;
    // A page that is too wide makes a phone's window wider: then that is what is said of it.
    await page.waitForFunction((w) => innerWidth === w || (innerWidth > w && document.documentElement.scrollWidth > w), width);
  };
}

const wide = { width: 1440, height: 900 };

/** No script in the text of the page, and none but ours allowed by its policy. */
async function ownScripts(context, path) {
  const answer = await context.request.get(path, { headers: { Accept: "text/html" } });
  const policy = answer.headers()["content-security-policy"] ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self';/, path);
  assert.doesNotMatch(policy, /unsafe-|https?:|\*/, path);
  const scripts = (await answer.text()).match(/<script\b[^>]*>/g);
  assert.ok(scripts.length > 0 && scripts.every((tag) => /\ssrc="/.test(tag)), `${path} has scripts in its text: ${scripts}`);
}

/** What is wrong with the headings and the width of a page on a phone. */
async function onPhone(page, path, resize) {
  const wrong = [];
  await resize(phone.viewport, true);
  await settled(page);
  await accessible(page, `${path} (phone)`);
  const found = await page.evaluate(() => ({ wide: document.documentElement.scrollWidth, first: document.querySelectorAll("h1").length, main: document.querySelectorAll("main").length }));
  if (found.wide > 390) wrong.push(`${path} is ${found.wide} px wide`);
  if (found.main !== 1) wrong.push(`${path} has ${found.main} main parts`);
  if (found.first > 1) wrong.push(`${path} has ${found.first} headings of the first rank`);
  // As small as it gets, a wide window enlarged twofold, tablets, and a wall.
  for (const [width, height] of [[320, 640], [720, 450], [768, 1024], [1024, 768], [2560, 1440]]) {
    await resize({ width, height }, width < 1000);
    const needs = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needs > width) wrong.push(`${path} is ${needs} px wide at ${width}`);
  }
  return wrong;
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

  // One half of the pages is loaded wide and made narrow, the other half the other way round.
  test("every page, wide and on a phone: with scripts of ours only, in both themes, with one heading of the first rank", async () => {
    const { context, page, problems } = await visit(browser, server);
    const resize = await resizer(page);
    const wrong = [];
    const lookWide = async (path) => {
      await resize(wide);
      await inBothThemes(page, path);
    };
    const lookNarrow = async (path) => wrong.push(...(await onPhone(page, path, resize)));
    for (const [i, path] of [...Object.values(at), "/explore?q=s(%22shop.latency%22,%22*%22)"].entries()) {
      const narrowFirst = i % 2 > 0;
      await resize(narrowFirst ? phone.viewport : wide, narrowFirst);
      await ownScripts(context, path);
      await follow(page, path);
      await page.getByRole("main").first().waitFor().catch((err) => assert.fail(`${path}: ${err.message}`));
      const steps = [lookWide, lookNarrow];
      for (const step of narrowFirst ? steps.reverse() : steps) await step(path);
      assert.deepEqual(problems, [], path);
    }
    assert.deepEqual(wrong, []);
    await context.close();
  });

  test("what opens over pages, wide and on a phone, and nothing that can open was forgotten", async () => {
    const look = async (options, layers, how) => {
      const { context, page, problems } = await visit(browser, server, options);
      const { names, wrong } = await lookAt(page, await layers(page, server, at), how);
      assert.deepEqual([...wrong, ...problems], []);
      await context.close();
      return names;
    };
    const seen = [...(await look({}, layersOf, "wide")), ...(await look(phone, layersOnPhone, "phone"))];
    assert.deepEqual(neverOpened(new Set(seen)), [], "open these in layers.mjs");
  });

  test("keys alone: what floats gives the focus back, and nothing holds it", async () => {
    const { page, problems } = await visit(browser, server);
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
    await page.close();
  });

  test("an address that leads nowhere keeps the sidebar, and strangers go to the door", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/no-such-page");
    await page.getByRole("heading", { name: "There is no such page." }).waitFor();
    await page.getByRole("navigation", { name: "Main" }).first().getByRole("link", { name: "Alerts" }).waitFor();
    await page.close();
    const stranger = await openPage(browser, server);
    await stranger.page.goto("/no-such-page");
    await stranger.page.waitForURL(/\/signin\?next=/);
    await stranger.context.close();
  });
});
