// The demo as somebody meets it who starts a server with --demo: every page of
// it, each of its spaces in every form, and what is told to others.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { listenTo } from "./others.mjs";
import { openPage, setUp, startServer, until, v1 } from "./server.mjs";
import { settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

async function startDemo() {
  const started = await startServer("--demo", { TIDEMARK_PUBLIC_URL: (base) => base });
  await setUp(started);
  await until(() => /demo is filled/.test(started.log()), () => started.log(), 120_000);
  return started;
}

/** To each of some pages as a link leads there: what is wrong with them. */
async function walk({ page, problems }, paths) {
  const wrong = [];
  for (const path of paths) {
    if (page.url() === "about:blank") await page.goto(path);
    else await page.evaluate((to) => history.pushState({}, "", to), path);
    await settled(page).catch((err) => wrong.push(`${path}: ${err.message}`));
    for (const said of await page.getByText(/stopped working|^Could not load/).allInnerTexts()) wrong.push(`${path}: ${said}`);
    for (const p of problems.splice(0)) wrong.push(`${path}: ${p}`);
  }
  return wrong;
}

const get = async (path, of) => (await v1(server, "GET", path)).body[of];

describe("the demo", () => {
  onServer(startDemo);

  test("every page of it opens", async () => {
    const visitor = await visit(browser, server);
    const [spaces, alerts, tokens, metrics] = [await get("/spaces", "spaces"), await get("/alerts", "alerts"), await get("/api_tokens", "api_tokens"), await get("/metrics", "metrics")];
    const [metric, alert, token] = [metrics[0].name, `/alerts/${alerts[0].id}`, `/settings/tokens/${tokens[0].id}`];
    assert.equal(spaces.length, 4);
    const inside = [];
    for (const { id } of spaces) {
      const charts = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
      const at = `/spaces/${id}`;
      inside.push(at, `${at}/wall`, `${at}/history`, `${at}/history/1`, `${at}/charts/${charts[0].id}`, `${at}/charts/${charts.at(-1).id}/edit`, `${at}/charts/new`);
    }
    const wrong = await walk(visitor, [
      "/", "/more", "/spaces", ...inside, "/playlists", "/playlists/new", `/explore?metric=${metric}`, "/metrics", `/metrics?name=${metric}`, "/alerts", alert, `${alert}/edit`, "/alerts/new",
      "/checks", "/objectives", "/maintenance", "/annotations", "/annotations/deploys", "/send", "/settings", "/settings/tokens", token, `${token}/delete`, `${token}/rotate`,
      ...["tokens/new", "general", "members", "services", "usage", "sessions", "security", "notifications", "deleted", "audit"].map((p) => `/settings/${p}`), "/operator/machines", "/operator/limits",
    ]);
    assert.deepEqual(wrong, []);
    await visitor.page.close();
  });

  test("every space of it is played, shared and sent as a picture", async () => {
    const visitor = await visit(browser, server);
    const { page, context } = visitor;
    const post = async (path, data) => {
      const res = await context.request.post(path, { data });
      assert.ok(res.ok(), `${path}: ${res.status()} ${await res.text()}`);
      return res.status() === 204 ? undefined : res.json();
    };
    const spaces = await get("/spaces", "spaces");
    const playlist = await post("/ui/api/playlists", { name: "All", spaces: spaces.map((s) => ({ space: s.id, seconds: 600, range: "-6h" })) });
    const wrong = await walk(visitor, [`/playlists/${playlist.id}`, `/playlists/${playlist.id}/play`]);
    for (const s of spaces) {
      await page.getByRole("heading", { name: s.name, level: 1 }).waitFor();
      await settled(page);
      await page.keyboard.press("ArrowRight");
    }
    const received = [];
    const hook = await listenTo(received);
    const service = (await v1(server, "POST", "/services", { type: "webhook_json", title: "Archive", settings: { url: hook.url } })).body.id;
    const links = [];
    for (const s of spaces) {
      const link = await post(`/ui/api/spaces/${s.id}/shares`, { name: "all", expires_in: 3600 });
      links.push(new URL(link.url).pathname, `${new URL(link.url).pathname}/wall`);
      const report = await post(`/ui/api/spaces/${s.id}/reports`, { name: s.name, range: "-6h", services: [service], schedule: { every: "day", time: "09:00", zone: "UTC" } });
      await post(`/ui/api/reports/${report.id}/send`);
    }
    const stranger = await openPage(browser, server);
    wrong.push(...(await walk(stranger, links)), ...visitor.problems);
    assert.deepEqual(wrong, []);
    await until(() => received.length === spaces.length, () => `${received.length} pictures came:\n${server.log()}`, 60_000);
    for (const text of received) {
      const png = await fetch(JSON.parse(text).image_url);
      assert.deepEqual([png.status, png.headers.get("content-type")], [200, "image/png"]);
    }
    hook.stop();
    await stranger.context.close();
    await page.close();
  });
});
