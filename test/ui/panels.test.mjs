// What a space has beside lines: tables, gauges, bars, heatmaps, texts, lists of
// alerts and events; sections, copies, several charts at once.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { accessible, colours } from "./axe.mjs";
import { openPage, until, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const byHost = [{ name: "host", grouped: true }];
const requests = { metric: "shop.requests", group_function: "sum", tags: byHost, name: "requests" };

/** One chart of every kind. */
const kinds = [
  { name: "Hosts", streams: [{ ...requests, thresholds: [{ operator: ">", value: 50, type: "red" }] }, { metric: "shop.latency", tags: byHost, name: "latency", units_short: "ms" }], attributes: { kind: "table", top: 1, spark: true, links: [{ title: "Runbook", url: "/annotations?host={host}" }] } },
  { name: "Fullest", type: "bignumber", streams: [requests], max: 200, thresholds: [{ operator: ">", value: 80, type: "yellow" }, { operator: ">", value: 180, type: "red" }], attributes: { kind: "gauge" } },
  { name: "Per bar", type: "stacked", streams: [requests], attributes: { kind: "bar" } },
  { name: "Heat", streams: [requests], attributes: { kind: "heatmap" } },
  { name: "Notes", streams: [], attributes: { kind: "text", text: "## First\n\n1. Look at <b>flags</b>.\n2. Open [all spaces](/spaces) or [the wiki](https://wiki.example.org)." } },
  { name: "Firing", streams: [], attributes: { kind: "alerts" } },
  { name: "Noted", streams: [{ metric: "deploys", type: "annotation" }], attributes: { kind: "events" } },
  { name: "Each host", streams: [requests], attributes: { repeat: "host" } },
];

const charts = async (id) => (await v1(server, "GET", `/spaces/${id}/charts`)).body;
const card = (page, name) => page.getByRole("article", { name, exact: true });
const menuOf = async (page, name, item) => {
  await card(page, name).hover();
  await page.getByRole("button", { name: "More", exact: true }).and(card(page, name).getByRole("button")).click();
  await page.getByRole("menuitem", { name: item }).click();
};

/** A new chart of one metric, of a kind. */
async function newChartOf(page, space, metric, kind) {
  await page.goto(`/spaces/${space}/charts/new?from=-1h`);
  await page.getByRole("button", { name: "Metric", exact: true }).click();
  await page.getByRole("combobox", { name: "Metric" }).fill(metric);
  await page.getByRole("option", { name: new RegExp(metric) }).click();
  await page.getByRole("radio", { name: kind }).click();
}

/** Saves what is in the editor; the answer is its card. */
async function saveAs(page, name) {
  await page.getByRole("complementary", { name: "Chart settings" }).getByLabel("Name", { exact: true }).fill(name);
  await page.keyboard.press("Control+s");
  await card(page, name).waitFor();
  return card(page, name);
}

/** What is said of a cell beside it stays in the card, and is not in the way of the pointer. */
async function staysInside(page, panel) {
  const cells = await panel.getByRole("img").boundingBox();
  const [tip, outer] = [panel.locator("[class*=tip]"), await panel.boundingBox()];
  for (const [x, y] of [[0.02, 0.02], [0.5, 0.5], [0.98, 0.98]]) {
    await page.mouse.move(cells.x + x * cells.width, cells.y + y * cells.height);
    await tip.getByText("p50").waitFor();
    const box = await tip.boundingBox();
    assert.ok(box.x >= outer.x && box.y >= outer.y && box.x + box.width <= outer.x + outer.width && box.y + box.height <= outer.y + outer.height, JSON.stringify([box, outer]));
  }
  assert.equal(await tip.evaluate((e) => getComputedStyle(e).pointerEvents), "none");
  await page.mouse.move(0, 0);
  await tip.waitFor({ state: "detached" });
}

describe("panels", () => {
  onServer();
  before(async () => {
    await v1(server, "POST", "/annotations/deploys", { title: "deploy shop 1.2", start_time: now() - 600 });
    const condition = { type: "above", metric_name: "shop.errors", threshold: 1 };
    await v1(server, "POST", "/alerts", { name: "errors.many", conditions: [condition], severity: "critical" });
    // An alert judges what arrives from now on.
    await until(async () => {
      await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.errors", value: 5, tags: { host: "web-01" } }] });
      return (await v1(server, "GET", "/alerts/1/status")).body?.status === "triggered";
    });
  });

  test("every kind is drawn, in both themes and on a phone", async () => {
    const id = await newSpace(server, "Every kind", ...kinds);
    const { page, problems } = await visit(browser, server, { viewport: { width: 1440, height: 2200 } });
    await page.goto(`/spaces/${id}?from=-1h`);
    const table = card(page, "Hosts");
    await table.getByRole("rowheader", { name: "web-01" }).waitFor();
    await table.getByText("top 1 of 2").waitFor();
    await table.getByLabel("Critical").waitFor();
    await card(page, "Fullest").getByRole("img", { name: /Fullest, .* now 1\d\d.*from 0 to 200, above 80, red at 180/ }).waitFor();
    await card(page, "Per bar").getByRole("img", { name: /Per bar, 2 streams/ }).waitFor();
    await card(page, "Heat").getByRole("img", { name: /Heat, 2 streams.*from 100/ }).waitFor();
    await card(page, "Firing").getByRole("link", { name: "errors.many" }).waitFor();
    await card(page, "Noted").getByRole("button", { name: "deploy shop 1.2" }).waitFor();
    for (const host of ["web-01", "web-02"]) await card(page, "Each host").getByRole("region", { name: host }).getByRole("img", { name: new RegExp(`Each host, ${host}`) }).waitFor();

    await table.getByRole("columnheader", { name: "Last hour" }).waitFor();
    assert.equal(await table.locator("tbody svg[preserveAspectRatio] path[d^=M]").count(), 2, "a small line in the one row, and what is below it");

    // Words of others stay words, and links know nothing of this page.
    const notes = card(page, "Notes");
    await notes.getByText("Look at <b>flags</b>.").waitFor();
    assert.equal(await notes.getByRole("link", { name: "the wiki" }).getAttribute("rel"), "noopener noreferrer");
    assert.match(await notes.getByRole("link", { name: "all spaces" }).getAttribute("href"), /^\/o\/\d+\/spaces$/);
    await settled(page);
    await accessible(page, "panels");
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await settled(page);
    await accessible(page, "panels in the dark", colours);
    assert.deepEqual(problems, []);
    await page.close();

    const small = await visit(browser, server, phone);
    await small.page.goto(`/spaces/${id}?from=-1h`);
    await card(small.page, "Hosts").getByRole("rowheader", { name: "web-01" }).waitFor();
    for (const width of [390, 320]) {
      await small.page.setViewportSize({ width, height: 844 });
      assert.ok(await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
    await settled(small.page);
    await accessible(small.page, "panels on a phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();
  });

  test("cells are read by keys, and a row narrows the page", async () => {
    const id = await newSpace(server, "By keys", kinds[0], kinds[3]);
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await card(page, "Heat").getByRole("img", { name: /Heat/ }).focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowLeft"]) await page.keyboard.press(key);
    await card(page, "Heat").getByText(/web-0\d, 1\d\d/).waitFor();
    await page.keyboard.press("Escape");
    await card(page, "Hosts").getByRole("button", { name: "latency" }).press("Enter");
    await card(page, "Hosts").getByRole("columnheader", { name: /latency/ }).and(page.locator("[aria-sort]")).waitFor();
    await card(page, "Hosts").getByRole("button", { name: "More for web-01" }).press("Enter");
    await page.getByRole("menuitem", { name: "Runbook" }).waitFor();
    await page.getByRole("menuitem", { name: "Filter to web-01" }).press("Enter");
    await page.waitForURL(/tag\.host=web-01/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a heatmap shows how values are distributed", async () => {
    // Most are fast, every tenth is slow; of two hosts, for half an hour.
    const minutes = Array.from({ length: 31 }, (_, i) => now() - 60 * i);
    const measurements = minutes.flatMap((time, i) => ["web-01", "web-02"].map((host) => ({ name: "shop.cart", time, tags: { host }, distribution: [[20 + (i % 5), 30], [25, 40], [32, 20], [400 + i, 10]] })));
    assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
    const spread = { streams: [{ metric: "shop.cart", units_short: "ms" }], attributes: { kind: "heatmap", rows: "distribution" } };
    const composite = { ...spread, streams: [{ composite: 'sum(s("shop.cart", "*"))' }] };
    const id = await newSpace(server, "Spread", { name: "Cart", ...spread }, { name: "Each", ...spread, attributes: { ...spread.attributes, repeat: "host" } }, { name: "None", ...composite }, { name: "Lines", ...spread, attributes: { ...spread.attributes, layers: "both", percentiles: [50, 99.9], color_by: "count", color_scale: "sqrt" } });
    const { context, page, problems } = await visit(browser, server);
    assert.ok((await context.request.put(`/ui/api/spaces/${id}/layout`, { data: { annotations: ["deploys"] } })).ok());
    await page.goto(`/spaces/${id}?from=-1h`);
    const cart = card(page, "Cart");
    const cells = cart.getByRole("img", { name: /^Cart, 6,200 values from 1\d.*\sms to 4\d\d\sms, / });
    await cells.waitFor();
    for (const host of ["web-01", "web-02"]) await card(page, "Each").getByRole("region", { name: host }).getByRole("img", { name: /3,100 values/ }).waitFor();
    await card(page, "None").getByText("a composite has no distribution: choose a metric").waitFor();

    // Who does not see it has a table, and reads cells by keys.
    const table = cart.getByRole("table", { name: "Values in each range" });
    const counts = await table.locator("tbody td:nth-child(2)").allTextContents();
    assert.equal(counts.reduce((sum, n) => sum + Number(n.replace(",", "")), 0), 6200);
    await cells.focus();
    for (const key of ["ArrowLeft", "ArrowLeft", "ArrowLeft"]) await page.keyboard.press(key);
    await cart.getByRole("status").getByText(/ms to [\d.]+\sms, (nothing|\d+ values?, [\d.]+\s% of this step)/).waitFor();
    await page.keyboard.press("Enter");
    const link = cart.getByRole("link", { name: "Show these in Explore" });
    assert.match(await link.getAttribute("href"), /\/explore\?.*from=\d.*metric=shop\.cart/);
    await accessible(page, "a cell that is held");
    await page.keyboard.press("Escape");
    await link.waitFor({ state: "detached" });

    // Percentiles are lines over the cells, of all that was measured.
    const lines = card(page, "Lines");
    await lines.getByRole("list", { name: "Percentiles" }).getByText(/^p50\s*2[45][.\d]*\sms$/).waitFor();
    await lines.getByText(/\d values$/).first().waitFor();
    assert.match(await lines.getByRole("table", { name: "Percentiles" }).getByRole("row", { name: /^p99.9/ }).innerText(), /4\d\d\sms/);
    await lines.getByRole("button", { name: /^deploy shop 1.2/ }).waitFor();
    await staysInside(page, lines);
    await settled(page);
    await accessible(page, "a distribution");
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await settled(page);
    await accessible(page, "a distribution in the dark", colours);

    // The same as a table of steps.
    const [chart] = await charts(id);
    await page.goto(`/spaces/${id}/charts/${chart.id}?from=-1h&view=table`);
    await page.getByRole("columnheader", { name: /ms to .*ms/ }).first().waitFor();
    assert.deepEqual(problems, []);
    await page.context().close();

    const small = await visit(browser, server, phone);
    await small.page.goto(`/spaces/${id}?from=-1h`);
    await card(small.page, "Cart").getByRole("img", { name: /6,200 values/ }).waitFor();
    for (const width of [390, 320]) {
      await small.page.setViewportSize({ width, height: 844 });
      assert.ok(await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width} px`);
    }
    await settled(small.page);
    await accessible(small.page, "a distribution on a phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();
  });

  test("a heatmap of values is chosen in the editor, and seen through a share link", async () => {
    const related = await newSpace(server, "Related to it");
    const id = await newSpace(server, "Chosen", { name: "Heat", streams: [{ ...requests, tags: [] }], related_space: related, attributes: { kind: "heatmap" } });
    const [chart] = await charts(id);
    const { context, page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}/charts/${chart.id}/edit?from=-1h`);
    const thresholds = page.getByRole("group", { name: "Thresholds" });
    await thresholds.getByRole("button", { name: "+ threshold" }).click();
    await thresholds.getByLabel("Value", { exact: true }).fill("150");
    await page.getByRole("img", { name: /^Heat, .*yellow above 150/ }).waitFor();
    await page.getByText("Bands need an axis of values: have a row for each range.").waitFor();
    await page.getByLabel("A row for each").selectOption({ label: "range, counting values" });
    await page.getByRole("group", { name: "Bands" }).waitFor();
    await page.getByRole("list", { name: "Thresholds" }).getByText("above 150").waitFor();
    await page.getByText("The values in each step, those of all streams merged.").waitFor();
    await page.getByText(/Percentiles are computed from the merged distribution, not averaged/).waitFor();
    await page.getByText(/^1 distribution from 2 streams, 1 min by \d+ ranges, answered in/).waitFor();
    const preview = page.getByRole("img", { name: /Heat, .* values from .*p99 now/ });
    await preview.waitFor();
    assert.ok((await preview.boundingBox()).height > 350);
    const show = page.getByRole("group", { name: "Show" });
    await show.getByRole("button", { name: "Both", pressed: true }).waitFor();

    // Any percentile; what is none is said when the field is left.
    const chips = page.getByRole("group", { name: "Percentiles" });
    await chips.getByRole("button", { name: "Remove p95" }).click();
    await chips.getByRole("button", { name: "Add a percentile" }).click();
    await page.getByLabel("Percentile", { exact: true }).fill("101");
    assert.equal(await chips.getByRole("alert").count(), 0);
    await page.keyboard.press("Tab");
    await chips.getByRole("alert").getByText("Any number between 0 and 100, such as 99.9.").waitFor();
    await accessible(page, "a percentile that is none");
    await page.getByLabel("Percentile", { exact: true }).fill("99.9");
    await page.keyboard.press("Enter");
    await page.getByRole("list", { name: "Percentiles" }).getByText("p99.9").waitFor();
    await page.getByLabel("Colour by").selectOption({ label: "count" });
    await page.getByRole("checkbox", { name: "Logarithmic" }).check();
    await settled(page);
    await accessible(page, "the editor of a distribution");
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    await settled(page);
    await accessible(page, "the editor of a distribution in the dark", colours);
    await page.keyboard.press("Control+s");
    await card(page, "Heat").getByRole("img", { name: /Heat, .* values from .*p99.9 now/ }).waitFor();
    const [saved] = await charts(id);
    assert.deepEqual(saved.attributes, { kind: "heatmap", rows: "distribution", layers: "both", percentiles: [50, 99, 99.9], color_by: "count", color_scale: "sqrt" });
    assert.equal(saved.use_log_yaxis, true);
    assert.deepEqual(saved.thresholds, [{ operator: ">", value: 150, type: "yellow" }]);
    await menuOf(page, "Heat", "History");
    await page.getByRole("dialog", { name: /History/ }).getByRole("button", { name: /Logarithmic to On.*more/ }).waitFor();
    const small = await visit(browser, server, phone);
    await small.page.goto(`/spaces/${id}/charts/${chart.id}/edit?from=-1h`);
    await small.page.getByRole("img", { name: /Heat, .* values from / }).waitFor();
    await small.page.getByRole("group", { name: "Show" }).getByRole("button", { name: "Percentiles" }).tap();
    await small.page.getByLabel("Colour by").waitFor({ state: "detached" });
    assert.ok(await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await settled(small.page);
    await accessible(small.page, "the editor of a distribution on a phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();
    const share = await (await context.request.post(`/ui/api/spaces/${id}/shares`, { data: { name: "All", expires_in: 86_400 } })).json();
    await page.keyboard.press("Escape");
    await menuOf(page, "Heat", "Related space");
    await page.waitForURL(new RegExp(`/spaces/${related}\\b`));
    assert.deepEqual(problems, []);
    await page.close();
    const outside = await openPage(browser, server);
    await outside.page.goto(`${new URL(share.url).pathname}?from=-1h`);
    await card(outside.page, "Heat").getByRole("img", { name: /Heat, .* values from / }).waitFor();
    assert.deepEqual(outside.problems, []);
    await outside.context.close();
  });

  test("every kind is made in the editor, and its history is in words", async () => {
    const id = await newSpace(server, "Made");
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}/charts/new`);
    await page.getByRole("radio", { name: "Text" }).click();
    await page.getByText("Write something: it appears here").waitFor();
    await page.getByLabel("Text", { exact: true }).last().fill("**Call** the owner.");
    await page.getByRole("group", { name: "Text" }).getByText("Call").waitFor();
    await accessible(page, "the editor of a text");
    await page.keyboard.press("Control+s");
    await card(page, "Text").getByText("the owner.").waitFor();

    await newChartOf(page, id, "shop.requests", "Table");
    await page.getByLabel("Rows at most").fill("0");
    assert.ok(await page.getByRole("button", { name: /Save chart/ }).isDisabled());
    await page.getByLabel("Rows at most").fill("5");
    await page.getByRole("group", { name: "Thresholds" }).getByRole("button", { name: "+ threshold" }).click();
    await page.getByRole("table").waitFor();
    await accessible(page, "the editor of a table");
    await page.keyboard.press("Control+s");
    await card(page, "shop.requests").getByRole("table").waitFor();
    const made = (await charts(id)).find((c) => c.name === "shop.requests");
    assert.deepEqual([made.type, made.attributes], ["line", { kind: "table", top: 5 }]);

    // Who knows types alone changes a name, and nothing else.
    await v1(server, "PUT", `/spaces/${id}/charts/${made.id}`, { name: "Requests" });
    await v1(server, "PUT", `/spaces/${id}/charts/${made.id}`, { attributes: { top: 7, order: "lowest" } });
    await page.goto(`/spaces/${id}`);
    await menuOf(page, "Requests", "History");
    await page.getByRole("dialog", { name: /History/ }).getByRole("button", { name: /Rows at most to 7; First to Lowest|First to Lowest; Rows at most to 7/ }).waitFor();

    // A gauge says what it needs, and bars are drawn over their bands.
    await newChartOf(page, id, "shop.requests", "Gauge");
    await page.getByText("A gauge needs to know where it ends. Set Max in its settings.").waitFor();
    await page.getByLabel("Max", { exact: true }).fill("200");
    await page.getByRole("img", { name: /now 1\d\d.*from 0 to 200/ }).waitFor();
    await accessible(page, "the editor of a gauge");
    await (await saveAs(page, "Made gauge")).getByRole("img", { name: /Made gauge, .*from 0 to 200/ }).waitFor();
    await newChartOf(page, id, "shop.requests", "Bar");
    await page.getByRole("group", { name: "Bands" }).getByRole("button", { name: "+ band" }).click();
    await (await saveAs(page, "Made bars")).getByRole("img", { name: /^Made bars, / }).waitFor();

    // Lists have no values: of alerts the words are chosen, of events the annotation streams.
    await page.goto(`/spaces/${id}/charts/new?from=-1h`);
    await page.getByRole("radio", { name: "Alerts" }).click();
    await page.getByLabel("With these words in name or labels").fill("nothing like it");
    await page.getByRole("link", { name: "errors.many" }).waitFor({ state: "detached" });
    await page.getByLabel("With these words in name or labels").fill("errors");
    await page.getByRole("link", { name: "errors.many" }).waitFor();
    await accessible(page, "the editor of a list of alerts");
    await (await saveAs(page, "Made alerts")).getByRole("link", { name: "errors.many" }).waitFor();
    await page.goto(`/spaces/${id}/charts/new?from=-1h`);
    await page.getByRole("radio", { name: "Events" }).click();
    await page.getByText("Nothing was noted in this range.").waitFor();
    await page.getByRole("button", { name: "Annotations", exact: true }).click();
    await page.getByLabel("Annotation stream").selectOption("deploys");
    await page.getByText("deploy shop 1.2").waitFor();
    await accessible(page, "the editor of a list of events");
    await (await saveAs(page, "Made events")).getByRole("button", { name: "deploy shop 1.2" }).waitFor();
    const kindsMade = (await charts(id)).filter((c) => c.name.startsWith("Made ")).map((c) => [c.name, c.type, c.attributes.kind]);
    assert.deepEqual(kindsMade, [["Made gauge", "bignumber", "gauge"], ["Made bars", "stacked", "bar"], ["Made alerts", "line", "alerts"], ["Made events", "line", "events"]]);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("sections fold, are moved and removed, and charts keep their places", async () => {
    const id = await newSpace(server, "Sections", { name: "One" }, { name: "Two" });
    const { context, page, problems } = await visit(browser, server);
    const layout = async () => (await context.request.get(`/ui/api/spaces/${id}/layout`)).json();
    await page.goto(`/spaces/${id}`);
    await card(page, "One").waitFor();
    for (const name of ["What customers feel", "Behind it"]) {
      await page.getByRole("banner").or(page.locator("header")).getByRole("button", { name: "More", exact: true }).first().click();
      await page.getByRole("menuitem", { name: "Add section…" }).click();
      await page.getByLabel("Name").fill(name);
      await page.getByRole("button", { name: "Add section" }).click();
      await page.getByRole("region", { name }).getByText("Drop charts here.").waitFor();
    }
    await menuOf(page, "Two", "Move to “Behind it”");
    const behind = page.getByRole("region", { name: "Behind it" });
    await behind.getByRole("article", { name: "Two" }).waitFor();
    await until(async () => (await layout()).layout.some((b) => b.section === 2));
    await accessible(page, "a space with sections");
    await behind.getByRole("button", { name: "Behind it", exact: true }).press("Enter");
    await card(page, "Two").waitFor({ state: "detached" });
    await page.reload();
    await behind.getByText("1 chart").waitFor();
    assert.equal(await card(page, "Two").count(), 0); // folded for who folded it
    await page.getByRole("button", { name: "More for Behind it" }).click();
    await page.getByRole("menuitem", { name: "Remove section" }).click();
    await page.getByRole("region", { name: "What customers feel" }).getByRole("article", { name: "Two" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await layout()).sections?.length === 2);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("several charts are deleted, brought back and copied to another space", async () => {
    const other = await newSpace(server, "Other place");
    const id = await newSpace(server, "Many", { name: "One" }, { name: "Two" }, { name: "Three" });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    await card(page, "One").waitFor();
    await page.keyboard.press("e");
    for (const name of ["One", "Two"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    const bar = page.getByRole("toolbar", { name: "Selected charts" });
    await bar.getByText("2 selected").waitFor();
    await accessible(page, "a selection");
    await bar.getByRole("button", { name: "Delete" }).click();
    await card(page, "One").waitFor({ state: "detached" });
    await until(async () => (await charts(id)).length === 1);
    await page.getByText("2 charts deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await until(async () => (await charts(id)).length === 3);
    await card(page, "Two").waitFor();
    for (const name of ["Two", "Three"]) await page.getByRole("checkbox", { name: `Select ${name}` }).check();
    await bar.getByRole("button", { name: "Copy to space…" }).click();
    await page.getByLabel("Space", { exact: true }).selectOption({ label: "Other place" });
    await page.getByRole("button", { name: "Copy charts" }).click();
    await page.getByText("2 charts copied to Other place").waitFor();
    assert.deepEqual((await charts(other)).map((c) => c.name).sort(), ["Three", "Two"]);
    assert.equal((await charts(id)).length, 3);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("through a share link there are panels and sections, and no alerts", async () => {
    const id = await newSpace(server, "Shared", kinds[0], kinds[5], kinds[6]);
    const { context } = await visit(browser, server);
    assert.ok((await context.request.put(`/ui/api/spaces/${id}/layout`, { data: { annotations: ["deploys"] } })).ok());
    const share = await (await context.request.post(`/ui/api/spaces/${id}/shares`, { data: { name: "All", expires_in: 86_400 } })).json();
    const { page, problems } = await openPage(browser, server);
    await page.goto(`${new URL(share.url).pathname}?from=-1h`);
    await card(page, "Hosts").getByRole("rowheader", { name: "web-01" }).waitFor();
    await card(page, "Firing").getByText("Alerts are not shown through a share link.").waitFor();
    await card(page, "Noted").getByRole("button", { name: "deploy shop 1.2" }).click();
    const noted = page.getByRole("dialog", { name: "deploy shop 1.2" });
    await noted.getByText("deploys").waitFor();
    assert.equal(await noted.getByRole("link", { name: "Edit" }).count(), 0);
    await accessible(page, "an annotation through a share link");
    await page.keyboard.press("Escape");
    await noted.waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    await page.context().close();
  });
});
