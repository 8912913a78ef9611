// What a page looks like on paper. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until, v1 } from "./server.mjs";
import { newSpace, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

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
    const { page, context, problems } = await visit(browser, server, { colorScheme: "dark" });
    // A window of nobody's has no dialog to print with: it asks this journey, which ends it.
    await page.addInitScript(() => {
      window.print = () => (window.asked = true);
    });
    const drawn = () =>
      page.evaluate(() => {
        const isDrawn = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some((v, i) => i % 4 === 3 && v > 0);
        const article = [...document.querySelectorAll("article")];
        const isThere = (a) => (a.dataset.type === "bignumber" || a.dataset.type === "gauge" ? /\d/.test(a.querySelector("header + div").textContent) : [...a.querySelectorAll("canvas")].some((c) => c.width > 0 && isDrawn(c)));
        return article.filter(isThere).length;
      });
    const asked = () => until(() => page.evaluate(() => window.asked), () => "nobody asked to print", 60_000);
    await page.goto(`/spaces/${id}?from=-1h`);
    await settled(page);
    assert.ok((await drawn()) < 24, "all charts are loaded before anybody looked at them");
    await page.keyboard.press("Control+p");
    await asked();
    assert.equal(await drawn(), 24);
    assert.equal(await page.locator("html").getAttribute("data-scheme"), "light");
    assert.equal(await page.getByText("Loading all charts to print them…").count(), 0);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.ok(pdf.match(/\/Type\s*\/Page\b/g).length > 3, "a long space is on several pages");
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
    const { page, context, problems } = await visit(browser, server, { colorScheme: "dark" });
    await page.addInitScript(() => {
      window.print = () => (window.asked = true);
    });
    await page.goto(`/spaces/${id}/charts/${chart}?from=-1h`);
    await settled(page);
    await page.getByRole("button", { name: "Print" }).click();
    await until(() => page.evaluate(() => window.asked), () => "nobody asked to print", 60_000);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g).length, 1);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
