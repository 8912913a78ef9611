// Spaces and what hangs on them: two who edit at once, empty charts, pictures
// and files, completion for fast typists. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { launch, signIn, until, v1 } from "./server.mjs";
import { newSpace, now, settled, startShop, visit } from "./shop.mjs";

describe("spaces", () => {
  let browser;
  let server;
  before(async () => {
    browser = await launch();
    server = await startShop();
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("of two who move charts the newest wins, and theirs is a press away", async () => {
    const id = await newSpace(server, "Both", { name: "One" }, { name: "Two" });
    const admin = await visit(browser, server);
    const who = { email: "second@example.org", password: "another long password" };
    assert.equal((await admin.context.request.post("/ui/api/members", { data: { ...who, role: "member" } })).status(), 201);
    const second = await visit(browser, server);
    await signIn(second.context, who);
    for (const { page } of [admin, second]) {
      await page.goto(`/spaces/${id}`);
      await page.getByRole("article", { name: "One" }).waitFor();
    }
    const width = async () => (await (await admin.context.request.get(`/ui/api/spaces/${id}/layout`)).json()).layout.find((b) => b.col === 0 && b.row === 0)?.width;
    const widen = async (page, by) => {
      await page.getByRole("button", { name: /^One, press Enter/ }).focus();
      await page.keyboard.press("Enter");
      for (let i = 0; i < by; i++) await page.keyboard.press("Shift+ArrowRight");
      await page.keyboard.press("Enter");
    };
    await widen(second.page, 1);
    await until(async () => (await width()) === 7);
    // The first has not seen that yet.
    await widen(admin.page, 3);
    await admin.page.getByText("Changed by second@example.org just now").waitFor();
    await until(async () => (await width()) === 9);
    await admin.page.getByRole("button", { name: "Show theirs" }).click();
    await until(async () => (await width()) === 7);
    await until(async () => (await admin.page.getByRole("article", { name: "One" }).boundingBox()).width < 760);
    assert.deepEqual([...admin.problems, ...second.problems], []);
    await second.context.close();
    await admin.context.close();
  });

  test("an empty chart leads to where its metric last had data", async () => {
    const old = now() - 5 * 3600;
    const measurements = Array.from({ length: 30 }, (_, i) => ({ name: "shop.old", value: i, time: old - i * 60, tags: { host: "web-01" } }));
    assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
    const id = await newSpace(server, "Empty", { name: "Old", streams: [{ metric: "shop.old" }] });
    const { context, page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.getByText("No data for these tags in this range").waitFor();
    await page.getByText("Last value 5 h ago:").waitFor();
    await page.getByRole("button", { name: "go there" }).click();
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    await page.getByRole("img", { name: /Old, 1 stream.*highest 29/ }).waitFor();
    await page.getByRole("button", { name: "Back to last hour" }).click();
    await page.getByText("No data for these tags in this range").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a chart is copied as a picture, or saved where that is not allowed", async () => {
    const id = await newSpace(server, "Pictures", { name: "Latency" });
    for (const allowed of [true, false]) {
      const { context, page, problems } = await visit(browser, server);
      if (allowed) await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      else
        await page.addInitScript(() => {
          navigator.clipboard.write = () => Promise.reject(new Error("not allowed"));
        });
      await page.goto(`/spaces/${id}`);
      await page.getByRole("img", { name: /Latency, 1 stream.*now/ }).waitFor();
      const card = page.getByRole("article", { name: "Latency" });
      await card.hover();
      await card.getByRole("button", { name: "More", exact: true }).click();
      const saved = allowed ? undefined : page.waitForEvent("download");
      await page.getByRole("menuitem", { name: "Copy PNG" }).click();
      await page.getByText(allowed ? "Picture copied" : "Picture saved").waitFor();
      const size = allowed ? await page.evaluate(copiedSize) : pngSize(readFileSync(await (await saved).path()));
      assert.ok(size.width > 300 && size.height > 200, `the picture is ${size.width} x ${size.height}`);
      if (saved) assert.match((await saved).suggestedFilename(), /^latency.*\.png$/i);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });

  test("a space goes out as a file and comes in again", async () => {
    const id = await newSpace(server, "Travels", { name: "Latency" }, { name: "Requests", type: "stacked", streams: [{ metric: "shop.requests", tags: [{ name: "host", grouped: true }] }] });
    const { context, page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    await page.getByRole("article", { name: "Requests" }).waitFor();
    const menu = () => page.locator("header").getByRole("button", { name: "More", exact: true }).first();
    await menu().click();
    const file = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Export JSON" }).click();
    const path = await (await file).path();
    assert.equal(JSON.parse(readFileSync(path, "utf8")).charts.length, 2);
    await page.keyboard.press("Escape");
    await menu().click();
    await page.getByRole("menuitem", { name: "Import JSON…" }).click();
    await page.getByLabel("Or paste it").fill("{");
    await page.getByRole("button", { name: "Import space" }).click();
    await page.getByText("This is not JSON.").waitFor();
    await page.locator('input[type="file"]').setInputFiles(path);
    await page.getByLabel("Or paste it").filter({ hasText: "shop.requests" }).waitFor();
    await page.getByRole("button", { name: "Import space" }).click();
    await page.waitForURL((u) => /\/spaces\/\d+$/.test(u.pathname) && !u.pathname.endsWith(`/${id}`));
    await page.getByRole("heading", { name: "Travels" }).waitFor();
    await page.getByRole("img", { name: /Requests, 2 streams/ }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("metrics are listed by name, or those with most streams first", async () => {
    await v1(server, "POST", "/measurements", { measurements: ["a", "b", "c"].map((host) => ({ name: "zoo.many", value: 1, tags: { host } })) });
    const { context, page } = await visit(browser, server);
    await page.goto("/metrics");
    await settled(page);
    const first = () => page.locator("[data-row]").first().innerText();
    assert.match(await first(), /^shop\./);
    await page.getByRole("button", { name: "by name" }).click();
    await page.getByRole("menuitemcheckbox", { name: "by streams" }).click();
    await page.waitForURL(/sort=streams/);
    await until(async () => (await first()).startsWith("zoo.many"));
    await page.reload();
    await until(async () => (await first()).startsWith("zoo.many"));
    await context.close();
  });

  test("Tab completes for those who type faster than the server answers", async () => {
    const { context, page, problems } = await visit(browser, server);
    await page.route(/\/ui\/api\/(metrics|compose\/functions|tags)/, async (route) => {
      await new Promise((r) => setTimeout(r, 400));
      await route.continue().catch(() => {}); // the editor asks again at the next letter
    });
    await page.goto("/explore?view=composite");
    const editor = page.getByRole("textbox", { name: "Composite" });
    await editor.click();
    const text = () => editor.innerText();
    await page.keyboard.type("sum");
    await page.keyboard.press("Tab");
    await until(async () => (await text()).startsWith("sum("));
    await page.keyboard.type('s("shop.req');
    await page.keyboard.press("Tab");
    await until(async () => (await text()).includes('s("shop.requests'));
    // Where there is nothing to complete, Tab leaves.
    await page.goto("/explore?view=composite");
    await editor.click();
    await page.keyboard.type("zzzz");
    await until(async () => {
      await page.keyboard.press("Tab");
      return !(await editor.evaluate((e) => e.contains(document.activeElement)));
    });
    assert.deepEqual(problems, []);
    await context.close();
  });
});

/** The size of the picture on the clipboard; runs in the page. */
async function copiedSize() {
  const [item] = await navigator.clipboard.read();
  const { width, height } = await createImageBitmap(await item.getType("image/png"));
  return { width, height };
}

/** The size in the head of a PNG file. */
const pngSize = (file) => ({ width: file.readUInt32BE(16), height: file.readUInt32BE(20) });
