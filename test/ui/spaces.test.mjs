// Spaces and what hangs on them: two who edit at once, empty charts, pictures
// and files, completion for fast typists. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { signIn, until, v1 } from "./server.mjs";
import { newSpace, now, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

describe("spaces", () => {
  onServer();

  test("of two who move charts the newest wins, and theirs is a press away", async () => {
    const id = await newSpace(server, "Both", { name: "One" }, { name: "Two" });
    const admin = await visit(browser, server);
    const who = { email: "second@example.org", password: "another long password" };
    server.cli(["user", "create", who.email, "--role", "member"], who.password);
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

  test("what is asked for while the scripts load is not asked for again, whatever the address says", async () => {
    const id = await newSpace(server, "Early", { name: "One" });
    for (const before of ["", "/o/1"]) {
      const { page, problems } = await visit(browser, server);
      const asked = [];
      page.on("request", (r) => r.method() === "GET" && asked.push(new URL(r.url()).pathname));
      await page.goto(`${before}/spaces/${id}`);
      await page.getByRole("article", { name: "One" }).waitFor();
      await settled(page);
      const wanted = [`${before}/ui/api/session`, `/o/1/v1/spaces/${id}`, `/o/1/v1/spaces/${id}/charts`, `/o/1/ui/api/spaces/${id}/layout`];
      assert.deepEqual(wanted.map((path) => asked.filter((a) => a === path).length), [1, 1, 1, 1], asked.join("\n"));
      const parts = asked.filter((path) => path.startsWith("/assets/"));
      assert.equal(new Set(parts).size, parts.length, "a part was asked for twice");
      assert.deepEqual(problems, []);
      await page.close();
    }
  });

  test("the resolution is that of what was measured, once a minute", async () => {
    const { page, problems } = await visit(browser, server);
    const id = await newSpace(server, "Fine", { name: "Latency" });
    await page.goto(`/spaces/${id}?from=-15m`); // seconds, if there were any
    const picker = page.getByRole("button", { name: /^Last 15 minutes/ });
    await picker.getByText("1 min", { exact: true }).waitFor();
    await picker.click();
    await page.getByText("This range shows 1 min resolution.").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("pinning while searching keeps the other pins, and the whole row opens a space", async () => {
    const { page, problems } = await visit(browser, server);
    await newSpace(server, "Pinned before");
    const id = await newSpace(server, "Pinned now", { name: "One" });
    await page.goto("/spaces?q=before");
    await page.getByRole("row", { name: /Pinned before/ }).getByRole("button", { name: "Pin to the sidebar" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pinned before" }).waitFor();
    await page.goto("/spaces?q=now");
    const row = page.getByRole("row", { name: /Pinned now/ });
    await row.getByRole("button", { name: "Pin to the sidebar" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pinned now" }).waitFor();
    assert.ok(await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Pinned before" }).isVisible());
    await row.getByText("1", { exact: true }).click(); // how many charts it has
    await page.waitForURL(new RegExp(`/spaces/${id}$`));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("spaces are found by tag and owner, and charts by what they show", async () => {
    const { page, problems } = await visit(browser, server);
    const charts = Array.from({ length: 14 }, (_, i) => ({ name: `Filler ${i}` }));
    const id = await newSpace(server, "Payments", ...charts, { name: "Refused cards", streams: [{ metric: "shop.errors" }] });
    await newSpace(server, "Payslips");
    await page.goto(`/spaces/${id}`);
    await page.locator("header").getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Tags and owner…" }).click();
    const dialog = page.getByRole("dialog", { name: /Tags and owner/ });
    await dialog.getByLabel("Tags").fill("On Call");
    await dialog.getByLabel("Tags").press("Enter");
    await dialog.getByText("on call", { exact: true }).waitFor();
    await dialog.getByLabel("Owner").selectOption({ label: "owner@example.org" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "hidden" });

    await page.goto("/spaces?q=pays");
    await page.getByRole("row", { name: /Payslips/ }).waitFor();
    await page.goto("/spaces");
    await page.getByRole("button", { name: "Tag", exact: true }).click();
    await page.getByRole("menuitem", { name: /^on call/ }).click();
    await page.waitForURL(/tag=on/);
    const rows = page.getByRole("table").getByRole("link");
    assert.deepEqual(await rows.allTextContents(), ["Payments"]);
    await page.getByRole("row", { name: /Payments.*owner@example.org.*by owner@example.org/ }).waitFor();
    await page.getByRole("button", { name: "Remove filter tag on call" }).click();
    await page.getByRole("columnheader", { name: "Edited" }).getByRole("button").click();
    await until(async () => (await rows.allTextContents())[0] === "Payments");
    assert.equal(await page.getByRole("columnheader", { name: "Edited" }).getAttribute("aria-sort"), "ascending");

    // A chart by its metric, in the list and in the search over everything.
    await page.goto("/spaces?q=shop.errors");
    await page.getByRole("region", { name: "Charts" }).getByRole("link", { name: "Refused cards" }).click();
    await page.waitForURL(/chart=\d+/);
    const card = page.getByRole("article", { name: "Refused cards" });
    const inSight = async () => {
      const box = await card.boundingBox();
      return box && box.y > 0 && box.y + box.height <= page.viewportSize().height;
    };
    await until(inSight, () => "the chart is not in sight");
    await page.goto("/alerts");
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /^Search alerts/ }).fill("refused");
    await page.getByRole("option", { name: /Refused cards in Payments/ }).click();
    await until(inSight, () => "the chart is not in sight");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a space is made of everything below a name", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/spaces");
    await page.getByRole("button", { name: "New space" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New space" });
    await dialog.getByText("Empty makes a space without charts.").waitFor();
    await dialog.getByLabel("Chart everything below").fill("nothing.");
    await dialog.getByText("No metric is called nothing.*.").waitFor();
    await dialog.getByRole("button", { name: "Create space" }).click();
    await dialog.locator('[aria-invalid="true"]').waitFor();
    await dialog.getByLabel("Chart everything below").fill("shop.");
    await dialog.getByText("3 metrics, a chart each.").waitFor();
    await accessible(page, "a new space of metrics");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "shop", level: 1 }).waitFor();
    for (const name of ["shop.errors", "shop.latency", "shop.requests"]) await page.getByRole("article", { name }).locator("canvas").waitFor();

    // So of what was found among metrics.
    await page.goto("/metrics?q=shop.re*");
    await page.getByRole("button", { name: "Chart them all" }).click();
    await page.getByRole("heading", { name: "shop.re*", level: 1 }).waitFor();
    await page.getByRole("article", { name: "shop.requests" }).locator("canvas").waitFor();
    assert.equal(await page.getByRole("article").count(), 1);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a chart in a folded section is unfolded for who looks for it", async () => {
    const { page, problems } = await visit(browser, server);
    const id = await newSpace(server, "Folded", { name: "Hidden one" });
    const [chart] = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
    const saved = await page.context().request.put(`/ui/api/spaces/${id}/layout`, {
      data: { layout: [{ chart: chart.id, col: 0, row: 0, width: 6, height: 4, section: 1 }], sections: [{ name: "Below", folded: true }] },
    });
    assert.equal(saved.status(), 200);
    await page.goto(`/spaces/${id}`);
    await page.getByRole("button", { name: "Below", exact: true, expanded: false }).waitFor();
    await page.goto(`/spaces/${id}?chart=${chart.id}`);
    await page.getByRole("article", { name: "Hidden one" }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("the start page is the space that was looked at last", async () => {
    const { page, problems } = await visit(browser, server);
    const first = await newSpace(server, "Aardvark", { name: "One" });
    const last = await newSpace(server, "Zebra", { name: "One" });
    for (const id of [first, last]) {
      const told = page.waitForResponse((r) => r.url().endsWith(`/ui/api/spaces/${id}/opened`) && r.status() === 204);
      await page.goto(`/spaces/${id}`);
      await told;
      const second = now();
      await until(() => now() > second); // of two that were opened in the same second neither is the last
    }
    await page.goto("/");
    await page.waitForURL(new RegExp(`/spaces/${last}$`));
    await page.goto("/spaces?q=Zebra");
    await page.getByRole("row", { name: /Zebra/ }).getByText(/now|ago/).first().waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("who types a metric and presses Enter at once gets that one", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/explore");
    const field = page.getByRole("combobox", { name: "Metric" });
    await field.click();
    await page.getByRole("option", { name: /shop\.errors/ }).waitFor();
    const held = [];
    await page.route(/\/ui\/api\/metrics\?q=s/, (route) => held.push(route));
    await field.pressSequentially("shop.req");
    await field.press("Enter"); // what is found still answers the empty search
    await until(() => held.some((route) => route.request().url().includes("q=shop.req")));
    for (const route of held) await route.continue().catch(() => {}); // some were given up
    await page.waitForURL(/shop\.requests/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("Alt and a press ask what happened, on charts outside spaces too", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/metrics?name=shop.latency");
    const file = page.waitForEvent("download");
    await page.getByRole("button", { name: "CSV" }).click();
    assert.equal((await file).suggestedFilename(), "shop.latency-average-of-each-stream.csv");
    for (const [path, title] of [["/metrics?name=shop.latency", "Cache emptied"], ["/explore?metric=shop.latency", "Cache filled"]]) {
      await page.goto(path);
      await settled(page);
      await page.getByRole("img", { name: /shop.latency|Average/ }).first().click({ modifiers: ["Alt"], position: { x: 300, y: 60 } });
      await page.getByRole("textbox", { name: "Title" }).fill(title);
      await page.getByRole("button", { name: "Add annotation" }).click();
      const note = page.getByText("Added to the annotations of events.");
      await note.waitFor();
      const [said, menu] = [await note.boundingBox(), await page.getByRole("navigation", { name: "Main" }).boundingBox()];
      assert.ok(said.x >= menu.x + menu.width, "the note covers nothing of the menu");
      const { events } = (await v1(server, "GET", `/annotations/events?start_time=${now() - 86400}`)).body;
      assert.ok(JSON.stringify(events).includes(title));
    }
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("Alt and a drag ask what happened from when to when; the menu of a chart asks too", async () => {
    const id = await newSpace(server, "Noted", { name: "Latency" }, { name: "Beside it" });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await settled(page);
    const chart = await page.getByRole("img", { name: /^Latency,/ }).boundingBox();
    await page.keyboard.down("Alt");
    await page.mouse.move(chart.x + 120, chart.y + 60);
    await page.mouse.down();
    await page.mouse.move(chart.x + 220, chart.y + 70, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Alt");
    const dialog = page.getByRole("dialog", { name: "What happened?" });
    await dialog.getByLabel("Title").fill("Load test");
    await dialog.getByLabel("Description").fill("From the second region.");
    await dialog.getByLabel("Stream").fill("drills");
    await dialog.getByRole("button", { name: "Add annotation" }).click();
    await dialog.waitFor({ state: "hidden" });
    assert.match(page.url(), /from=-1h/, "the page is not zoomed");
    const [{ events: [event] }] = Object.values((await v1(server, "GET", `/annotations/drills?start_time=${now() - 86400}`)).body.events).map((events) => ({ events }));
    assert.equal(event.description, "From the second region.");
    assert.ok(event.end_time - event.start_time > 60, "it has two ends");

    await page.getByRole("article", { name: "Latency" }).hover();
    await page.getByRole("article", { name: "Latency" }).getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: /Note what happened/ }).click();
    await dialog.waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a space is renamed from its title, the old name selected", async () => {
    const id = await newSpace(server, "Old words", { name: "Latency" });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}`);
    await page.getByRole("heading", { name: "Old words" }).getByRole("button").click();
    const field = page.getByRole("dialog").getByLabel("Name");
    await until(() => field.evaluate((f) => f === document.activeElement && f.selectionEnd - f.selectionStart === f.value.length));
    await page.keyboard.type("New words");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New words", exact: true }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a wall display has all charts in sight and forgets a mouse that was left on it", async () => {
    const id = await newSpace(server, "Wall", ...Array.from({ length: 10 }, (_, i) => ({ name: `Chart ${i + 1}` })));
    const { page, problems } = await visit(browser, server, { viewport: { width: 1440, height: 1080 } });
    await page.goto(`/spaces/${id}/wall?from=-1h`);
    await settled(page);
    const last = page.getByRole("article", { name: "Chart 10" });
    const ends = async () => {
      const { y, height } = await last.boundingBox();
      return y + height;
    };
    assert.ok((await ends()) <= 1080, `the last chart ends at ${await ends()}`);
    await page.locator(".u-over").first().hover({ position: { x: 200, y: 60 } });
    await page.locator(".u-cursor-x:visible").first().waitFor();
    await page.locator("[data-idle=true]").waitFor();
    await until(async () => (await page.locator(".u-cursor-x:visible").count()) === 0, () => "a crosshair stays");
    assert.equal(await page.locator(".u-over").first().evaluate((o) => getComputedStyle(o).cursor), "none");
    // What fires stands above the charts, and none of them leaves the screen for it.
    const condition = { type: "above", metric_name: "shop.latency", threshold: 1 };
    const alert = (await v1(server, "POST", "/alerts", { name: "wall.fires", conditions: [condition] })).body;
    await v1(server, "POST", "/measurements", { measurements: [{ name: "shop.latency", value: 50, time: now(), tags: { host: "web-01" } }] });
    await page.getByRole("status").getByText(/wall\.fires/).waitFor({ timeout: 60_000 });
    await until(async () => (await ends()) <= 1080, async () => `the last chart ends at ${await ends()}`);
    await v1(server, "DELETE", `/alerts/${alert.id}`);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an empty chart leads to where its metric last had data", async () => {
    const old = now() - 5 * 3600;
    const measurements = Array.from({ length: 30 }, (_, i) => ({ name: "shop.old", value: i, time: old - i * 60, tags: { host: "web-01" } }));
    assert.equal((await v1(server, "POST", "/measurements", { measurements })).status, 202);
    const id = await newSpace(server, "Empty", { name: "Old", streams: [{ metric: "shop.old" }] });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.getByText("No data for these tags in this range").waitFor();
    await page.getByText("Last value 5 h ago:").waitFor();
    await page.getByRole("button", { name: "go there" }).click();
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    await page.getByRole("img", { name: /Old, 1 stream.*highest 29/ }).waitFor();
    await page.getByRole("button", { name: "Back to last hour" }).click();
    await page.getByText("No data for these tags in this range").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
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

  test("a chart is doubled, moved to another space and brought back", async () => {
    const from = await newSpace(server, "Here", { name: "Moving" });
    const to = await newSpace(server, "There");
    const names = async (id) => (await v1(server, "GET", `/spaces/${id}/charts`)).body.map((c) => c.name).sort();
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${from}?from=-1h`);
    await settled(page);
    const choose = async (item) => {
      const card = page.getByRole("article", { name: "Moving", exact: true });
      await card.hover();
      await card.getByRole("button", { name: "More", exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Duplicate");
    await until(async () => (await names(from)).length === 2, async () => (await names(from)).join());
    await choose("Move to space…");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Space").selectOption("There");
    await dialog.getByRole("button", { name: "Move chart" }).click();
    await page.getByText("Moving moved to There").waitFor();
    assert.deepEqual(await names(to), ["Moving"]);
    assert.equal((await names(from)).length, 1);
    await page.getByRole("button", { name: "Undo" }).last().click();
    await until(async () => (await names(to)).length === 0 && (await names(from)).length === 2);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a space goes out as a file and comes in again", async () => {
    const id = await newSpace(server, "Travels", { name: "Latency" }, { name: "Requests", type: "stacked", streams: [{ metric: "shop.requests", tags: [{ name: "host", grouped: true }] }] });
    const { page, problems } = await visit(browser, server);
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
    await page.getByLabel("Or paste it").fill('{"name":"n"}');
    await page.getByRole("button", { name: "Import space" }).click();
    await page.getByText("This is not a file that Export JSON made.").waitFor();
    await page.locator('input[type="file"]').setInputFiles(path);
    await page.getByLabel("Or paste it").filter({ hasText: "shop.requests" }).waitFor();
    await page.getByRole("button", { name: "Import space" }).click();
    await page.waitForURL((u) => /\/spaces\/\d+$/.test(u.pathname) && !u.pathname.endsWith(`/${id}`));
    await page.getByRole("heading", { name: "Travels" }).waitFor();
    await page.getByRole("img", { name: /Requests, 2 streams/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a stream is hidden with the eye, and kept with its chart", async () => {
    const id = await newSpace(server, "Hidden", { name: "Both", streams: [{ metric: "shop.latency", name: "latency" }, { metric: "shop.errors", name: "errors" }] });
    const { context, page, problems } = await visit(browser, server);
    const chart = (await v1(server, "GET", `/spaces/${id}/charts`)).body[0].id;
    await page.goto(`/spaces/${id}/charts/${chart}/edit`);
    await page.getByRole("img", { name: /Both, 2 streams/ }).waitFor();
    const eye = page.getByRole("button", { name: "Hide B" });
    await eye.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("img", { name: /Both, 1 stream.*latency now/ }).waitFor();
    await page.getByRole("button", { name: "Show B", pressed: true }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("article", { name: "Both" }).waitFor();
    await page.getByRole("img", { name: /Both, 1 stream/ }).waitFor();
    const { streams } = (await v1(server, "GET", `/spaces/${id}/charts/${chart}`)).body;
    assert.deepEqual(streams.map((s) => [s.metric, s.hidden]), [["shop.latency", undefined], ["shop.errors", true]]);
    // Whoever has only a link does not get it either.
    const { key } = await (await context.request.post(`/ui/api/spaces/${id}/shares`, { data: { name: "wall", expires_in: 86400 } })).json().then((made) => ({ key: made.url.split("/").pop() }));
    const asked = await context.request.post(`/ui/api/shared/${key}/query`, { data: { start: now() - 600, end: now(), resolution: 60, chart } });
    assert.deepEqual((await asked.json()).results.map((r) => r.id), ["0"]);
    await page.goto(`/spaces/${id}/charts/${chart}/edit`);
    await page.getByRole("button", { name: "Show B" }).click();
    await page.getByRole("img", { name: /Both, 2 streams/ }).waitFor();
    await page.keyboard.press("Control+s");
    await page.getByRole("img", { name: /Both, 2 streams/ }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("after eight seconds a chart says so, is stopped, and asked again", async () => {
    const id = await newSpace(server, "Slow", { name: "One" }, { name: "Two" });
    const { page, problems } = await visit(browser, server);
    let late = true;
    const gone = [];
    page.on("requestfailed", (r) => gone.push(r.url()));
    await page.route("**/ui/api/query", async (route) => (late ? undefined : route.continue()));
    await page.clock.install();
    await page.goto(`/spaces/${id}`);
    await page.getByRole("article", { name: "Two" }).waitFor();
    await page.clock.fastForward(5_000);
    assert.equal(await page.getByText("Still working…").count(), 0);
    await page.clock.fastForward(4_000);
    await page.getByText("Still working…").first().waitFor();
    await page.getByRole("button", { name: "Cancel" }).first().click();
    await page.getByText("Stopped before it was loaded").first().waitFor();
    await until(() => gone.some((u) => u.endsWith("/ui/api/query")), () => "the request was not aborted");
    late = false;
    await page.getByRole("button", { name: "Try again" }).first().click();
    for (const name of ["One", "Two"]) await page.getByRole("img", { name: new RegExp(`${name}, 1 stream`) }).waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("so does a page", async () => {
    const { page, problems } = await visit(browser, server);
    let late = true;
    const gone = [];
    page.on("requestfailed", (r) => gone.push(r.url()));
    await page.route("**/ui/api/alerts*", async (route) => (late ? undefined : route.continue()));
    await page.clock.install();
    await page.goto("/alerts");
    await page.getByRole("heading", { name: "Alerts" }).waitFor();
    await page.waitForFunction(() => document.querySelector('[aria-busy="true"]'));
    await until(async () => {
      await page.clock.fastForward(3_000);
      return page.getByText("Still working…").isVisible();
    });
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("Stopped before everything was there.").waitFor();
    await until(() => gone.some((u) => u.includes("/ui/api/alerts")), () => "the request was not aborted");
    late = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No alerts yet.", { exact: false }).first().waitFor();
    await page.getByText("Stopped before").waitFor({ state: "hidden" });
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("charts are read and moved by mouse and keys", async () => {
    const id = await newSpace(server, "Moves", { name: "Hosts", streams: [{ metric: "shop.requests", tags: [{ name: "host", grouped: true }] }] }, { name: "Other" });
    const { page, problems } = await visit(browser, server);
    await page.goto(`/spaces/${id}?from=-1h`);
    const chart = page.getByRole("img", { name: /Hosts, 2 streams.*now/ });
    await chart.waitFor();
    const card = page.getByRole("article", { name: "Hosts" });
    // The crosshair is one for all charts; the readout is where it is moved.
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    const readout = card.locator('[class*="readout"]').filter({ hasText: "web-01" }).first();
    await readout.waitFor();
    const first = await readout.innerText();
    await page.keyboard.press("Shift+ArrowLeft");
    await until(async () => (await readout.innerText()) !== first);
    assert.equal(await page.locator(".u-cursor-x:visible").count(), 2);
    await until(async () => (await card.locator("[aria-live]").innerText()).includes("web-01"));
    await page.keyboard.press("Escape");
    await readout.waitFor({ state: "hidden" });
    // Names isolate; Esc brings all back.
    const name = (n) => card.getByRole("button", { name: new RegExp(`^web-0${n}`) });
    await name(1).click();
    await page.getByRole("img", { name: /Hosts, 1 stream/ }).waitFor();
    await name(2).click({ modifiers: ["Control"] });
    await chart.waitFor();
    await name(1).click();
    await page.keyboard.press("Escape");
    await chart.waitFor();
    assert.equal(await name(1).getAttribute("aria-pressed"), "false");
    // z, arrows and Enter zoom; that pauses live, and Backspace leads back.
    const live = page.getByRole("button", { name: "Live" });
    assert.equal(await live.getAttribute("aria-pressed"), "true");
    await chart.focus();
    await page.keyboard.press("z");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    assert.equal(await live.getAttribute("aria-pressed"), "false");
    await page.getByRole("button", { name: "Back to last hour" }).waitFor();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Backspace");
    await page.waitForURL(/from=-1h$/);
    // Shift-drag pans, a double click doubles the range, Live returns.
    const box = await page.locator(".u-over").first().boundingBox();
    const range = () => ["from", "to"].map((k) => Number(new URL(page.url()).searchParams.get(k)));
    await page.keyboard.down("Shift");
    await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + 40, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    const [from, to] = range();
    assert.ok(Math.abs(to - from - 3600) < 30 && Math.abs(now() - to - 1800) < 120, `panned to ${now() - to} s ago, ${to - from} s long`);
    await page.mouse.dblclick(box.x + box.width * 0.5, box.y + 40);
    await until(() => range()[1] - range()[0] > 7000);
    await live.click();
    await page.waitForURL(/from=-1h$/);
    assert.equal(await live.getAttribute("aria-pressed"), "true");
    // Enter opens the chart over the whole window.
    await chart.focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/charts\/\d+\?from=-1h/);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("metrics are listed by name, or those with most streams first", async () => {
    await v1(server, "POST", "/measurements", { measurements: ["a", "b", "c"].map((host) => ({ name: "zoo.many", value: 1, tags: { host } })) });
    const { page } = await visit(browser, server);
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
    await page.close();
  });

  test("Tab completes for those who type faster than the server answers", async () => {
    const { page, problems } = await visit(browser, server);
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
    await page.close();
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
