// What a chart is made into: a picture, a number with thresholds, a page that
// costs nothing while nobody does anything.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage, until, v1 } from "./server.mjs";
import { newSpace, now, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const mouse = { viewport: { width: 1280, height: 800 } };

/** Keeps what is written onto canvases that are not on the page. */
function listen() {
  const write = CanvasRenderingContext2D.prototype.fillText;
  globalThis.written = [];
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    if (!this.canvas.isConnected) globalThis.written.push({ text, x, y, end: x + this.measureText(text).width });
    return write.call(this, text, x, y);
  };
}

async function copyPicture(page) {
  const card = page.getByRole("article", { name: "Latency" });
  await card.hover();
  await card.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy PNG" }).click();
  await page.getByText("Picture copied").waitFor();
  return page.evaluate(() => globalThis.written);
}

/** One band and one flag, both from the left edge of the plot on: the flag. */
async function seeBefore(page) {
  const band = page.locator("[data-band]");
  await band.waitFor({ state: "attached" });
  await settled(page);
  assert.deepEqual([await band.count(), await page.locator("[data-mark]").count()], [1, 1]);
  const [plot, ...marked] = await Promise.all([".u-over", "[data-band]", "[data-mark]"].map((s) => page.locator(s).boundingBox()));
  for (const { x } of marked) assert.ok(Math.abs(x - plot.x) < 2, `${x} is the edge at ${plot.x}`);
  const flag = page.getByRole("button", { name: /^Reindexing, / });
  await flag.waitFor();
  return flag;
}

async function bigNumber(value, more = {}) {
  return newSpace(server, "Numbers", { name: "Latency now", type: "bignumber", thresholds: [{ operator: ">", value, type: "red" }], ...more });
}

describe("charts", () => {
  onServer();

  test("labels are drawn again with a font that came after them", async () => {
    const id = await newSpace(server, "Fonts", { name: "Latency", streams: [{ metric: "shop.latency", tags: [{ name: "host", grouped: true }] }] });
    const { page, problems } = await visit(browser, server, mouse);
    const held = [];
    await page.route("**/*.woff2", (route) => held.push(route));
    await page.goto(`/spaces/${id}?from=${now() - 3600}&to=${now()}`);
    await page.getByRole("img", { name: /^Latency, 2 streams/ }).waitFor();
    await page.locator("[class*=tools] button").first().waitFor({ state: "attached" }); // the last of the page
    await page.evaluate(() => {
      const write = CanvasRenderingContext2D.prototype.fillText;
      globalThis.labels = 0;
      CanvasRenderingContext2D.prototype.fillText = function (...text) {
        globalThis.labels++;
        return write.apply(this, text);
      };
    });
    for (const route of held) await route.continue();
    await page.waitForFunction(() => globalThis.labels > 0);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a picture has title, unit, times and annotations, and names apart from values", async () => {
    const id = await newSpace(server, "Pictures", { name: "Latency", streams: [{ metric: "shop.latency", tags: [{ name: "host", grouped: true }], units_short: "ms" }] });
    for (let i = 0; i < 8; i++) await v1(server, "POST", "/annotations/picture-deploys", { title: `Deployed ${i}`, start_time: now() - 3000 + i * 300 });
    const { context, page, problems } = await visit(browser, server, mouse);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(listen);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.getByRole("img", { name: /Latency, 2 streams.*now/ }).waitFor();
    await page.getByRole("button", { name: /annotations/i }).first().click();
    await page.getByRole("checkbox", { name: /picture-deploys/ }).click();
    await page.keyboard.press("Escape");
    await page.locator("[data-mark]").nth(7).waitFor({ state: "attached" });
    const written = await copyPicture(page);
    const texts = written.map((w) => w.text);
    assert.ok(texts.includes("Latency") && texts.includes("ms"), texts.join(" | "));
    assert.ok(texts.some((t) => /^\w{3} \d+ \w{3,4}, \d\d:\d\d – .*\d\d:\d\d$/.test(t)), texts.join(" | "));
    assert.ok(texts.some((t) => t.startsWith("Deployed 0, ")), texts.join(" | "));
    assert.ok(texts.includes("and 3 more annotations"), texts.join(" | "));
    const name = written.find((w) => /web-01$/.test(w.text));
    const value = written.find((w) => w.y === name.y && w.x > name.x);
    assert.match(value.text, /^\d+\sms$/);
    assert.ok(value.x - name.end >= 4, `${name.text} ends at ${name.end}, ${value.text} begins at ${value.x}`);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what began before the range has a band, and a flag at the edge that says what it is", async () => {
    const id = await newSpace(server, "Began before", { name: "Latency" });
    const event = { title: "Reindexing", start_time: now() - 50 * 60, end_time: now() - 20 * 60 };
    assert.equal((await v1(server, "POST", "/annotations/began-before", event)).status, 201);
    const { context, page, problems } = await visit(browser, server, mouse);
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    assert.ok((await context.request.put(`/ui/api/spaces/${id}/layout`, { data: { annotations: ["began-before"] } })).ok());
    const share = await (await context.request.post(`/ui/api/spaces/${id}/shares`, { data: { name: "All", expires_in: 86_400 } })).json();
    await page.addInitScript(listen);
    await page.goto(`/spaces/${id}?from=-40m`);
    await (await seeBefore(page)).press("Enter");
    await page.getByRole("dialog", { name: "Reindexing" }).getByText("30 min").waitFor();
    await page.keyboard.press("Escape");
    const texts = (await copyPicture(page)).map((w) => w.text);
    assert.ok(texts.some((t) => t.startsWith("Reindexing, ")), texts.join(" | "));
    assert.deepEqual(problems, []);
    await context.close();
    const outside = await openPage(browser, server, mouse);
    await outside.page.goto(`${new URL(share.url).pathname}?from=-40m`);
    await seeBefore(outside.page);
    assert.deepEqual(outside.problems, []);
    await outside.context.close();
  });

  test("the menu of a number whose threshold is crossed opens with the mouse", async () => {
    const id = await bigNumber(1);
    const { page, problems } = await visit(browser, server, mouse);
    await page.goto(`/spaces/${id}`);
    const card = page.getByRole("article", { name: "Latency now" });
    await card.getByLabel("Critical").waitFor();
    await card.hover();
    await card.getByRole("button", { name: "More", exact: true }).click({ timeout: 5_000 });
    await page.getByRole("menuitem", { name: "JSON" }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a new chart asks for a metric first, then follows the filter of its space, shows gaps and compares", async () => {
    const id = await newSpace(server, "New ones");
    const { page, problems } = await visit(browser, server, mouse);
    await page.goto(`/spaces/${id}/charts/new?tag.host=web-01&tag.zone=a&from=-30m`);
    await page.getByRole("button", { name: "Metric", exact: true }).click();
    await page.getByText("the picture appears here while you choose").waitFor();
    const saves = page.getByRole("button", { name: /Save chart/ });
    assert.ok(await saves.isDisabled());
    const metric = page.getByRole("combobox", { name: "Metric" });
    await metric.fill("shop.latency");
    await metric.press("Enter");
    await page.getByRole("button", { name: /^host from space/ }).waitFor(); // shop.latency has no zone
    assert.equal(await page.getByRole("button", { name: /^zone from space/ }).count(), 0);
    assert.ok(await page.getByLabel("Show gaps where data is missing").isChecked());
    assert.equal(await page.getByLabel("Streams", { exact: true }).locator("option:checked").innerText(), "averaged into one line");
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.getByRole("menuitemcheckbox", { name: "The period before" }).click();
    await page.waitForURL(/compare=period/);
    await page.getByRole("button", { name: "Compared with the period before" }).waitFor();
    await saves.click();
    await page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}`));
    const [{ streams: [stream] }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    assert.deepEqual([stream.gap_detection, stream.tags], [true, [{ name: "host", dynamic: true }]]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the lines of the editor have the colours that the saved chart has", async () => {
    const measurements = ["a", "b", "c"].flatMap((host) => ["eu", "us"].map((zone) => ({ name: "queue.jobs", value: 5, time: now() - 60, tags: { host, zone } })));
    await v1(server, "POST", "/measurements", { measurements });
    const id = await newSpace(server, "Colours", { name: "Jobs", streams: [{ metric: "queue.jobs", tags: [{ name: "host", grouped: true }] }] });
    const { page, problems } = await visit(browser, server, mouse);
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    await page.goto(`/spaces/${id}/charts/${chart}/edit?from=-30m`);
    const names = (...list) => until(async () => (await page.locator("[data-legend] [data-name]").allInnerTexts()).join() === list.join(), async () => (await page.locator("[data-legend]").allInnerTexts()).join());
    const colours = () => page.locator("[data-swatch]").evaluateAll((all) => all.map((s) => s.style.background));
    await names("a", "b", "c");
    await page.getByRole("button", { name: "host one line each" }).click();
    await page.getByRole("button", { name: "Remove this tag" }).click();
    await page.getByRole("button", { name: "+ tag" }).click();
    await page.getByRole("dialog", { name: "Filter or group by a tag" }).getByText("zone").click();
    await names("eu", "us");
    const drawn = await colours();
    await page.getByRole("button", { name: /Save chart/ }).click();
    await page.waitForURL((u) => u.pathname.endsWith(`/spaces/${id}`));
    await page.reload();
    await names("eu", "us");
    assert.deepEqual(await colours(), drawn);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a number grows with its panel, and the picture of the editor keeps its height", async () => {
    const id = await bigNumber(250);
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const { page, problems } = await visit(browser, server, mouse);
    const size = () => page.locator("[data-tone] [class*=digits], [class*=box] [class*=digits]").first().evaluate((d) => Number.parseFloat(getComputedStyle(d).fontSize));
    await page.goto(`/spaces/${id}`);
    await settled(page);
    const usual = await size();
    assert.ok(usual >= 30 && usual < 40, `${usual} px in the usual panel`);
    await page.goto(`/spaces/${id}/charts/${chart}`);
    await settled(page);
    assert.ok((await size()) > 2 * usual, "it fills a large one");
    await page.goto(`/spaces/${id}/charts/${chart}/edit`);
    await settled(page);
    const streams = page.getByRole("heading", { name: "Streams" });
    const before = (await streams.boundingBox()).y;
    await page.getByRole("radio", { name: "Line" }).click();
    await page.getByRole("img", { name: /stream/ }).first().waitFor();
    assert.equal((await streams.boundingBox()).y, before);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a threshold that is no number says so and is not saved", async () => {
    const id = await bigNumber(250);
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const { page, problems } = await visit(browser, server, mouse);
    await page.goto(`/spaces/${id}/charts/${chart}/edit`);
    const settings = page.getByRole("complementary", { name: "Chart settings" });
    const field = settings.getByRole("textbox", { name: "Value" });
    const saves = page.getByRole("button", { name: /Save chart/ });
    await field.fill("abc");
    await settings.getByText("“abc” is not a number.").waitFor();
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.ok(await saves.isDisabled());
    await page.keyboard.press("Control+s");
    await field.fill("");
    await settings.getByText("Enter a number.").waitFor();
    assert.ok(await saves.isDisabled());
    await field.fill("1250000");
    const room = await field.evaluate((e) => e.clientWidth - e.scrollWidth);
    assert.ok(room >= 0 && (await field.evaluate((e) => e.clientWidth)) >= 90, "all of its digits are seen");
    await saves.click();
    await page.waitForURL(new RegExp(`/spaces/${id}$`));
    assert.equal((await v1(server, "GET", `/spaces/${id}/charts/${chart}`)).body.thresholds[0].value, 1_250_000);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an end of an axis that is no number says so", async () => {
    const id = await newSpace(server, "Axes", { name: "Latency" });
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const { page, problems } = await visit(browser, server, mouse);
    await page.goto(`/spaces/${id}/charts/${chart}/edit`);
    await page.getByLabel("Min").fill("low");
    await page.getByText("“low” is not a number.").waitFor();
    assert.ok(await page.getByRole("button", { name: /Save chart/ }).isDisabled());
    await page.getByRole("img", { name: /Latency, 1 stream/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on an idle page nothing moves without end, and nothing that moves has to be painted", async () => {
    const id = await newSpace(server, "Idle", { name: "Latency" });
    const { page } = await visit(browser, server, { reducedMotion: "no-preference" });
    await page.addInitScript(() => {
      globalThis.begun = [];
      const keep = (a) => globalThis.begun.push({ ends: a.effect.getComputedTiming().iterations !== Infinity, moves: a.effect.getKeyframes().flatMap((k) => Object.keys(k)) });
      addEventListener("animationstart", () => document.getAnimations().forEach(keep), true);
    });
    await page.goto(`/spaces/${id}?from=-15m`); // moves on every second
    await settled(page);
    await page.evaluate(() => (globalThis.begun = []));
    await page.waitForFunction(() => globalThis.begun.length > 1);
    const begun = await page.evaluate(() => globalThis.begun);
    assert.ok(begun.every((a) => a.ends));
    const described = new Set(["offset", "computedOffset", "easing", "composite"]);
    const moved = new Set(begun.flatMap((a) => a.moves).filter((p) => !described.has(p)));
    assert.deepEqual([...moved].sort(), ["opacity", "transform"]);
    await page.close();
  });
});
