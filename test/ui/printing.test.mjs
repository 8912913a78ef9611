// What a page looks like on paper. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstIn, framesOf, inkIn, sheetsOf } from "./paper.mjs";
import { until, v1 } from "./server.mjs";
import { newSpace, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** Opens a page that is dark by choice, as not every browser can be told that its system is. */
async function openDark(path) {
  const opened = await visit(browser, server, { colorScheme: "dark" });
  const { page } = opened;
  // A window of nobody's has no dialog to print with: it asks this journey, which ends it.
  await page.addInitScript(() => {
    window.print = () => (window.asked = true);
  });
  // On a page without scripts, as those that are on their way when it is left would be complained of.
  await page.goto("/favicon.svg");
  await page.evaluate(() => localStorage.setItem("tidemark.scheme", "dark"));
  await page.goto(path);
  await page.locator('html[data-scheme="dark"]').waitFor({ state: "attached" });
  await settled(page);
  return opened;
}

/** Where the charts are on the page, from the left of what is printed of it. */
const cardsOn = (page) =>
  page.evaluate(() => {
    const { left } = document.querySelector("main").getBoundingClientRect();
    return [...document.querySelectorAll("article")].map((a) => {
      const { x, width, height } = a.getBoundingClientRect();
      return { kind: a.dataset.type, x: x - left, width, height };
    });
  });

/** The sheets of a page, which are as wide as it is. */
async function printed(page) {
  const width = await page.evaluate(() => document.querySelector("main").clientWidth);
  const sheets = sheetsOf(await page.pdf({ preferCSSPageSize: true }));
  for (const sheet of sheets) assert.ok(Math.abs(sheet.width - width) <= 2, `a sheet of ${sheet.width} px for a page of ${width} px`);
  return sheets;
}

/** Each chart is on one sheet, as large as on the page, and none is in two. */
function areWhole(cards, sheets) {
  const frames = sheets.flatMap((sheet, i) => framesOf(sheet).map((frame) => ({ ...frame, sheet: i + 1, ink: inkIn(sheet, frame) })));
  const all = JSON.stringify(frames);
  for (const card of cards) {
    const at = frames.findIndex((f) => ["x", "width", "height"].every((k) => Math.abs(f[k] - card[k]) <= 3) && f.ink > 100 === (card.kind !== "gauge"));
    assert.ok(at >= 0, `no ${card.kind} as ${JSON.stringify(card)} in ${all}`);
    frames.splice(at, 1);
  }
  assert.deepEqual(frames, [], "more is framed than there are charts");
}

describe("printing", () => {
  onServer();

  test("on paper a space is light, as wide as on the screen, without the menu", async () => {
    const id = await newSpace(server, "Printed", { name: "Latency" });
    const { page, problems } = await visit(browser, server, { colorScheme: "dark" });
    await page.goto(`/spaces/${id}`);
    await settled(page);
    const width = await page.evaluate(() => document.querySelector("main").clientWidth);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    const [, paper] = /MediaBox\s*\[\s*0 0 ([\d.]+)/.exec(pdf);
    assert.ok(Math.abs(Number(paper) - width * 0.75) < 2, `${paper} pt for ${width} px`);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.locator('html[data-scheme="light"]').waitFor({ state: "attached" });
    assert.deepEqual([await page.getByRole("navigation", { name: "Main" }).count(), await page.getByRole("button", { name: "Add chart" }).count()], [0, 0]);
    await page.getByText("Last 6 hours").waitFor();
    assert.equal(await page.getByRole("link", { name: "Skip to content" }).count(), 0, "a link on every page");
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.locator('html[data-scheme="dark"]').waitFor({ state: "attached" });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("printed, a space has all its charts, drawn and light, also those that were never in sight", async () => {
    const kinds = [{}, { type: "stacked" }, { type: "bignumber" }, { attributes: { kind: "heatmap" } }, { attributes: { kind: "gauge" }, min: 0, max: 100 }, { attributes: { kind: "bar" } }];
    const charts = Array.from({ length: 24 }, (_, i) => ({ name: `Chart ${i + 1}`, ...kinds[i % kinds.length] }));
    const id = await newSpace(server, "Long", ...charts);
    const { page, context, problems } = await openDark(`/spaces/${id}?from=-1h`);
    const drawn = () =>
      page.evaluate(() => {
        const isDrawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v, i) => i % 4 === 3 && v > 0);
        const article = [...document.querySelectorAll("article")];
        const isThere = (a) => (a.dataset.type === "bignumber" || a.dataset.type === "gauge" ? /\d/.test(a.querySelector("header + div").textContent) : [...a.querySelectorAll("canvas")].some((c) => c.width > 0 && isDrawn(c)));
        return article.filter(isThere).length;
      });
    const asked = () => until(() => page.evaluate(() => window.asked), () => "nobody asked to print", 60_000);
    assert.ok((await drawn()) < 24, "all charts are loaded before anybody looked at them");
    await page.keyboard.press("Control+p");
    await asked();
    assert.equal(await drawn(), 24);
    assert.equal(await page.locator("html").getAttribute("data-scheme"), "light");
    assert.equal(await page.getByText("Loading all charts to print them…").count(), 0);
    const cards = await cardsOn(page);
    const sheets = await printed(page);
    const { width } = sheets[0];
    assert.ok(sheets.length > 3, "a long space is on several pages");
    areWhole(cards, sheets);
    // Of what is above the charts the title is there, and on the right the time only.
    const top = { y: 4, height: 44 };
    assert.ok(firstIn(sheets[0], { ...top, x: 0, width: 300 }) < 40, "no title");
    assert.ok(firstIn(sheets[0], { ...top, x: 300, width: width - 300 }) > width - 220, "tools are printed");
    await page.locator('html[data-scheme="dark"]').waitFor({ state: "attached" });
    // From the menu and by the palette too.
    const ways = [
      async () => {
        await page.getByRole("button", { name: "More", exact: true }).click();
        await page.getByRole("menuitem", { name: /^Print/ }).click();
      },
      async () => {
        await page.keyboard.press("Control+k");
        await page.getByRole("combobox", { name: /^Search alerts/ }).fill("> print");
        await page.getByRole("option", { name: /Print this page/ }).click();
      },
    ];
    for (const way of ways) {
      await page.evaluate(() => (window.asked = false));
      await way();
      await asked();
      assert.equal(await page.locator("[role=dialog], [role=menuitem]").count(), 0);
      await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
      await page.locator('html[data-scheme="dark"]').waitFor({ state: "attached" });
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a chart on its own fills one sheet of paper", async () => {
    const id = await newSpace(server, "One sheet", { name: "Latency" });
    const [{ id: chart }] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const { page, context, problems } = await openDark(`/spaces/${id}/charts/${chart}?from=-1h`);
    await page.getByRole("button", { name: "Print" }).click();
    await until(() => page.evaluate(() => window.asked), () => "nobody asked to print", 60_000);
    const sheets = await printed(page);
    assert.equal(sheets.length, 1);
    const [frame, ...others] = framesOf(sheets[0]);
    assert.deepEqual(others, []);
    assert.ok(frame.width > sheets[0].width * 0.9 && frame.x + frame.width < sheets[0].width, `cut: ${JSON.stringify(frame)}`);
    assert.ok(inkIn(sheets[0], frame) > 100, "no line is drawn");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
