// Journeys through Explore: several queries, kept ones, and what changed.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { partOf, until, v1 } from "./server.mjs";
import { newSpace, now, phone, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

// The jump: from when to when, on whole minutes some time ago.
const end = Math.floor(now() / 60) * 60 - 600;
const start = end - 900;
const jumps = `brush=${start}-${end}`;

/** A shop where orders of one host jump for a quarter of an hour, and somebody noted why. */
async function startJump() {
  const server = await startShop();
  const measurements = [];
  for (let time = start - 4500; time < end + 300; time += 60)
    for (const host of ["web-01", "web-02"])
      measurements.push({ name: "queue.waiting", time, tags: { host }, value: host === "web-02" && time >= start && time < end ? 380 : 1 + (time / 60) % 2 });
  assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
  assert.equal((await v1(server, "POST", "/annotations/deploys", { title: "deploy 4.18.1", start_time: start - 60 })).status, 201);
  return server;
}

/** Keeps by how much the page moves by itself, and what of it. */
function watchShifts() {
  globalThis.shifts = [];
  new PerformanceObserver((list) => {
    for (const e of list.getEntries()) if (!e.hadRecentInput) globalThis.shifts.push({ value: e.value, what: e.sources.map((s) => s.node?.className ?? s.node?.nodeName) });
  }).observe({ type: "layout-shift", buffered: true });
}

const paneOf = (page, letter) => page.getByRole("region", { name: `Query ${letter}`, exact: true });
const changed = (page) => page.getByRole("region", { name: "What changed at this moment" });

describe("Explore", () => {
  onServer(startJump);

  test("two queries side by side, and a link that opens the same", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/explore?metric=shop.latency&group=host");
    await settled(page);
    await page.getByRole("button", { name: "Side by side" }).click();
    await paneOf(page, "B").getByRole("combobox", { name: "Metric" }).or(paneOf(page, "B").getByLabel("Metric", { exact: true })).first().fill("shop.errors");
    await page.getByRole("option", { name: /shop\.errors/ }).first().click();
    await until(() => page.url().includes("b.metric=shop.errors"));
    await paneOf(page, "B").locator("canvas").waitFor();
    // One of them on its own time, and hidden ones stay hidden.
    await paneOf(page, "B").getByRole("button", { name: "More for query B" }).click();
    await page.getByRole("menuitem", { name: "A time of its own" }).click();
    await until(() => page.url().includes("b.from="));
    await page.getByRole("button", { name: "Add query" }).click();
    await paneOf(page, "C").waitFor();
    await paneOf(page, "A").getByRole("button", { name: "More for query A" }).click();
    await page.getByRole("menuitem", { name: "Hide" }).click();
    await until(() => page.url().includes("hidden=1"));
    const { page: other } = await visit(browser, server);
    await other.goto(page.url());
    await paneOf(other, "B").locator("canvas").waitFor();
    await paneOf(other, "C").waitFor();
    assert.equal(await paneOf(other, "A").locator("canvas").count(), 0);
    assert.equal(await paneOf(other, "B").getByRole("group", { name: "Time range" }).count(), 1);
    await paneOf(other, "B").getByRole("button", { name: "More for query B" }).click();
    await other.getByRole("menuitem", { name: "Only this query" }).click();
    await until(() => /[?&]metric=shop\.errors/.test(other.url()) && !other.url().includes("b."));
    await accessible(page, "side by side");
    assert.deepEqual(problems, []);
  });

  test("a query is kept for everyone, and found again", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/explore?metric=shop.latency&group=host&b.metric=shop.errors");
    await settled(page);
    await page.getByRole("button", { name: "Queries" }).click();
    await page.getByRole("button", { name: "Save this query…" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Latency and errors");
    await page.getByRole("button", { name: "Save query" }).click();
    await page.getByText("Saved as Latency and errors.").waitFor();
    const { page: other } = await visit(browser, server);
    await other.goto("/explore");
    await settled(other);
    await other.getByRole("button", { name: "Queries" }).click();
    await other.getByRole("button", { name: /Latency and errors/ }).first().click();
    await until(() => other.url().includes("b.metric=shop.errors") && other.url().includes("group=host"));
    // What was looked at for a while is remembered.
    await other.waitForTimeout(2500);
    await other.goto("/explore");
    await settled(other);
    await other.getByRole("button", { name: "Queries" }).click();
    await other.getByRole("button", { name: /^shop\.latency, shop\.errors/ }).first().waitFor();
  });

  test("what changed finds the stream that jumped, and what was noted", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto(`/explore?metric=shop.latency&from=-1h&${jumps}`);
    const row = changed(page).getByRole("row").filter({ hasText: "queue.waiting" });
    await row.waitFor();
    assert.match(await row.innerText(), /host=web-02/);
    assert.match(await row.innerText(), /with it/);
    assert.equal(await changed(page).getByRole("row").filter({ hasText: "web-01" }).count(), 0);
    await changed(page).getByRole("row").filter({ hasText: "deploy 4.18.1" }).filter({ hasText: "1 min before" }).waitFor();
    await changed(page).getByText(/4 metrics, 8 streams compared in/).waitFor();
    await accessible(page, "what changed");
    await row.getByRole("button", { name: /^Open as B: queue\.waiting/ }).click();
    await until(() => page.url().includes("b.metric=queue.waiting") && page.url().includes("b.tag.host=web-02"));
    await paneOf(page, "B").locator("[data-brush]").waitFor();
    await changed(page).getByRole("button", { name: /^More for queue/ }).click();
    await page.getByRole("menuitem", { name: "Leave this metric out" }).click();
    await row.waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
  });

  test("a range is dragged with the mouse, and marked by keys alone", async () => {
    const { page } = await visit(browser, server);
    await page.goto("/explore?metric=queue.waiting&from=-1h");
    await settled(page);
    const plot = page.locator(".u-over").first();
    const box = await plot.boundingBox();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 60);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.7, box.y + 60, { steps: 5 });
    await page.mouse.up();
    await changed(page).waitFor();
    assert.match(page.url(), /brush=\d+-\d+/);
    const dragged = /brush=([\d-]+)/.exec(page.url())[1];
    await page.getByRole("slider", { name: "End of the range" }).focus();
    await page.keyboard.press("ArrowRight");
    await until(() => /brush=([\d-]+)/.exec(page.url())[1] !== dragged);
    await page.keyboard.press("Escape");
    await until(() => !page.url().includes("brush="));
    // By keys: z, arrows, Enter.
    await page.locator("[role=img][tabindex='0']").first().focus();
    for (const key of ["End", "z", "Shift+ArrowLeft", "Shift+ArrowLeft", "Enter"]) await page.keyboard.press(key);
    await changed(page).waitFor();
    await until(() => page.url().includes("brush="));
    // The page itself splits by a key.
    await page.keyboard.press("\\");
    await paneOf(page, "B").waitFor();
  });

  test("a chart of a space and a metric open with all they have", async () => {
    const { page } = await visit(browser, server);
    const id = await newSpace(server, "Explored", {
      name: "Two",
      streams: [
        { metric: "shop.latency", tags: [{ name: "host", values: ["web-01"] }], summary_function: "max", units_short: "ms" },
        { composite: 's("shop.errors", "*")', type: "composite" },
        { name: "errors", metric: "shop.errors", tags: [{ name: "host", values: ["web-0*"], grouped: true }], summary_function: "max", group_function: "sum", transform_function: "x*2" },
      ],
    });
    await page.goto(`/spaces/${id}?from=-3h`);
    await settled(page);
    const card = page.getByRole("article", { name: "Two" });
    await card.hover();
    await card.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Open in Explore" }).click();
    await paneOf(page, "B").waitFor();
    const search = new URL(page.url()).searchParams;
    assert.deepEqual(
      ["metric", "tag.host", "summary", "lines", "unit", "from", "b.q", "c.metric", "c.group", "c.lines", "c.transform"].map((k) => search.get(k)),
      ["shop.latency", "web-01", "max", "mean", "ms", "-3h", 's("shop.errors", "*")', "shop.errors", "host", "sum", "x*2"],
    );
    assert.equal(await paneOf(page, "C").getByLabel("Lines").inputValue(), "sum");

    // An alert begins with the stream that was chosen, not with the first.
    await page.goBack();
    await settled(page);
    await card.hover();
    await card.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Alert on errors" }).click();
    await page.waitForURL(/alerts\/new\?/);
    const about = new URL(page.url()).searchParams;
    assert.deepEqual(["metric", "tag.host", "group", "summary"].map((k) => about.get(k)), ["shop.errors", "web-0*", "host", "max"]);
    await page.getByText("shop.errors").first().waitFor();
    await page.goto("/metrics?name=shop.latency&group=host&tag.host=web-02&summary=max&from=-3h");
    await settled(page);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Open in Explore" }).click();
    await until(() => /explore\?/.test(page.url()));
    const metric = new URL(page.url()).searchParams;
    assert.deepEqual(["metric", "group", "tag.host", "summary", "from", "name"].map((k) => metric.get(k)), ["shop.latency", "host", "web-02", "max", "-3h", null]);
    await page.goBack();
    await page.getByRole("button", { name: "Alert on this" }).click();
    await page.waitForURL(/alerts\/new\?/);
    const alert = new URL(page.url()).searchParams;
    assert.deepEqual(["metric", "group", "tag.host", "summary"].map((k) => alert.get(k)), ["shop.latency", "host", "web-02", "max"]);
  });

  test("of sixty streams the worst are found", async () => {
    const measurements = Array.from({ length: 60 }, (_, i) => ({ name: "queue.depth", value: i === 41 ? 900 : i, time: now() - 60, tags: { env: "prod", host: `h${String(i).padStart(2, "0")}`, zone: i % 2 ? "b" : "a" } }));
    await v1(server, "POST", "/measurements", { measurements });
    const { page, problems } = await visit(browser, server);
    await page.goto("/explore?metric=queue.depth&from=-30m");
    await page.getByRole("heading", { name: "60 lines" }).waitFor();
    const rows = page.locator("tbody tr");
    const first = (text) => until(async () => (await rows.first().innerText()).includes(text), () => rows.first().innerText());
    assert.equal(await rows.count(), 25);
    await page.locator("thead button", { hasText: "Max" }).click();
    await first("h41");
    await page.locator("thead button", { hasText: "Max" }).click();
    await first("h00");
    await page.getByLabel("Show", { exact: true }).last().selectOption("top 10");
    await until(async () => (await rows.count()) === 10);
    await page.getByText("same for all: env=prod").waitFor();
    assert.equal(await page.getByRole("columnheader", { name: "env" }).count(), 0, "a column of what all share");
    await page.getByLabel("Only differing tags").uncheck();
    await page.getByRole("columnheader", { name: "env" }).waitFor();
    await page.getByLabel("Mark above").fill("100");
    await until(async () => (await page.locator("td[data-over]").count()) > 0);
    assert.deepEqual(await page.locator("tr:has(td[data-over])").count(), 1);
    await page.getByLabel("Mark", { exact: true }).selectOption("below");
    await until(async () => (await page.locator("tr:has(td[data-over])").count()) === 9);
    await page.getByLabel("Show", { exact: true }).last().selectOption("all");
    await page.getByPlaceholder("Find streams: web or host:web-01").fill("host:h07");
    await until(async () => (await rows.count()) === 1);
    await first("h07");
    await accessible(page, "a table of many streams");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on a phone nothing scrolls sideways", async () => {
    for (const width of [390, 320]) {
      const { page } = await visit(browser, server, { ...phone, viewport: { width, height: 844 } });
      for (const path of ["/explore?metric=shop.latency", `/explore?metric=shop.latency&b.metric=queue.waiting&b.from=-1h&from=-1h&${jumps}`]) {
        await page.goto(path);
        await settled(page);
        if (path.includes("brush")) await changed(page).getByText("queue.waiting").first().waitFor();
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${path} at ${width}`);
        for (const cell of await page.locator("td[class*=col_last]:visible").all()) {
          const box = await cell.boundingBox();
          assert.ok(box.x + box.width <= width, `values of ${path} are in sight at ${width}`);
        }
      }
      await accessible(page, `phone ${width}`);
    }
  });

  test("nothing moves while a composite of two lines is drawn, and when its editor comes late", async () => {
    const { page, problems } = await visit(browser, server);
    const chart = page.locator("canvas").first();
    await page.route(`**/${partOf("src/compose/Editor.tsx")}`, async (route) => {
      await chart.waitFor();
      await route.continue();
    });
    await page.addInitScript(watchShifts);
    await page.goto(`/explore?q=${encodeURIComponent('scale(\n  s("shop.latency", {"host":"*"}), {"factor":"2"})')}&from=-1h`);
    await page.getByRole("img", { name: /2 streams/ }).waitFor();
    await page.locator(".cm-line").nth(1).waitFor();
    await settled(page);
    const shifts = await page.evaluate(() => globalThis.shifts);
    const sum = shifts.reduce((all, s) => all + s.value, 0);
    assert.ok(sum < 0.02, `${sum}: ${JSON.stringify(shifts)}`);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
