// Takes pictures of every page, dialog, drawer and editor, wide and on a phone,
// light and dark, into .cache/screenshots, and brings those that documents show
// up to date. Usage: node test/ui/screenshots.mjs [name ...]
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withPalette } from "./png.mjs";
import { setUpApp } from "./app.mjs";
import { launch, openPage, setUp, signIn, startServer, until, v1 } from "./server.mjs";
import { phone as handheld, settled } from "./shop.mjs";
import { fresh, signedOut, unused, used } from "./views.mjs";

const out = process.env.OUT ?? fileURLToPath(new URL("../../.cache/screenshots", import.meta.url));
const shown = fileURLToPath(new URL("../../docs/screenshots", import.meta.url));
const wanted = process.argv.slice(2);
const asked = (name) => wanted.length === 0 || wanted.includes(name);
const patience = 20_000;
let failed = 0;

/** A copy of the first space that a token, then somebody else changed: its history. */
async function changedSpace(browser, server, post) {
  const { id } = await post("/ui/api/spaces/1/duplicate", { name: "Checkout staging" });
  const { context } = await openPage(browser, server);
  await signIn(context, { email: "oncall@example.org", password: "correct horse battery" });
  const charts = (await v1(server, "GET", `/spaces/${id}/charts`)).body;
  const named = (name) => charts.find((c) => c.name === name);
  const at = `/v1/spaces/${id}/charts`;
  await v1(server, "PUT", `/spaces/${id}/charts/${named("Requests").id}`, { name: "Requests a second" });
  const latency = named("Latency by percentile");
  await context.request.put(`${at}/${latency.id}`, { data: { thresholds: [{ operator: ">", value: 300, type: "yellow" }] } });
  await context.request.delete(`${at}/${named("CPU by host").id}`);
  const orders = { name: "Orders per hour", type: "line", attributes: { kind: "bar" }, streams: [{ metric: "checkout.orders", group_function: "sum" }] };
  const made = await (await context.request.post(at, { data: orders })).json();
  const path = `/ui/api/spaces/${id}/layout`;
  const layout = await (await context.request.get(path)).json();
  const moved = { [named("Errors by status").id]: 0, [named("Queue depth").id]: 4 };
  const boxes = layout.layout.filter((b) => b.chart !== named("CPU by host").id).map((b) => ({ ...b, col: moved[b.chart] ?? b.col }));
  await context.request.put(path, { data: { ...layout, layout: [...boxes, { chart: made.id, col: 8, row: 7, width: 4, height: 5 }] } });
  await context.request.put(`/ui/api/history/space/${id}/versions/1/name`, { data: { name: "before sale" } });
  await context.close();
  return `/spaces/${id}/history`;
}

/** The demo, with people who joined, pinned spaces and a share. */
async function startUsed(browser) {
  const server = await startServer("--demo");
  await setUp(server);
  await until(() => /demo is filled/.test(server.log()), () => server.log(), 120_000);
  const { context } = await openPage(browser, server);
  await signIn(context);
  const post = async (path, data) => (await context.request.post(path, { data })).json();
  await context.request.put("/ui/api/pins", { data: { spaces: [1, 2, 3, 4] } });
  for (const [email, role] of [["ops@example.org", "admin"], ["oncall@example.org", "member"], ["wall@example.org", "viewer"]]) server.cli(["user", "create", email, "--role", role], "correct horse battery");
  const invitation = await post("/ui/api/invitations", { email: "new@example.org", role: "member" });
  const share = await post("/ui/api/spaces/1/shares", { name: "Status page", expires_in: 7 * 86_400 });
  const check = { kind: "http", every: 60, grace: 0, timeout: 5, days: 7, active: true, places: ["server"] };
  await post("/ui/api/checks", { ...check, name: "Shop front", target: `${server.base}/readyz` });
  await post("/ui/api/checks", { ...check, name: "Search", target: `${server.base}/docs/`, slow: 0.001 });
  await post("/ui/api/checks", { ...check, name: "Payment provider", target: "http://127.0.0.1:9/" });
  await post("/ui/api/checks", { name: "Nightly backup", kind: "heartbeat", every: 86_400, grace: 3600, active: true });
  const now = Math.floor(Date.now() / 1000);
  const covers = { labels: { team: "checkout" } };
  await v1(server, "POST", "/maintenance", { name: "Database upgrade", starts_at: now + 86_400, ends_at: now + 90_000, covers });
  await v1(server, "POST", "/maintenance", { name: "Weekly restart", starts_at: now - 86_400, ends_at: now + 90 * 86_400, repeat: { days: ["sun"], start_time: "02:00", end_time: "03:30", zone: "Europe/Berlin" }, covers });
  await addObjective(server);
  const careful = await withApp(browser, server);
  const hosts = await withHosts(server, post);
  const { id } = (await v1(server, "POST", "/spaces", { name: "Black Friday, last year" })).body;
  await v1(server, "DELETE", `/spaces/${id}`);
  const heatmap = await addHeatmap(server, context);
  const history = await changedSpace(browser, server, post);
  await context.close();
  const trouble = `${now - 192 * 60}-${now - 150 * 60}`;
  return { ...server, at: { heatmap, share: new URL(share.url).pathname, invite: new URL(invitation.url).pathname, careful, hosts, trouble, history } };
}

/** Somebody who signs in with an authenticator app, too. */
async function withApp(browser, server) {
  const careful = { email: "careful@example.org", password: "let me in, please" };
  server.cli(["user", "create", careful.email, "--role", "member"], careful.password);
  const { context, page } = await openPage(browser, server);
  await signIn(context, careful);
  await page.goto("/settings/security");
  await setUpApp(page);
  await context.close();
  return careful;
}

/** Six hours of eight machines, one of which became busy, in the space that is made of them. */
async function withHosts(server, post) {
  const now = Math.floor(Date.now() / 60_000) * 60;
  const hosts = ["cache-01", "db-01", "db-02", "web-01", "web-02", "web-03", "web-04", "worker-01"];
  for (const [n, host] of hosts.entries()) {
    const measurements = [];
    const wave = (i, size) => size * Math.sin(i / 7 + n) + size * Math.sin(i / 2.3 + 3 * n) * 0.4;
    for (let i = 0; i <= 360; i++) {
      const busy = host === "web-03" && i > 240 ? 48 : 0;
      const values = { "cpu.percent": 12 + 6 * n + busy + wave(i, 3), "memory.percent": 44 + 5 * n + wave(i, 1), "network.in": 1e6 * (3 + 2 * n) + wave(i, 4e5), "network.out": 1e6 * (2 + n) + wave(i, 2e5), "load.5": 0.3 + n / 5, processes: 180 + 12 * n };
      const time = now - (360 - i) * 60;
      for (const [name, value] of Object.entries(values)) measurements.push({ name: `host.${name}`, value, time, tags: { host } });
      measurements.push({ name: "host.uptime", value: (9 + 12 * n) * 86_400 + i * 60, time, tags: { host, os: "Debian GNU/Linux 12" } });
      measurements.push({ name: "host.disk.percent", value: 38 + 6.6 * n + i / 400, time, tags: { host, mount: "/" } });
    }
    for (let i = 0; i < measurements.length; i += 1000) await v1(server, "POST", "/measurements", { measurements: measurements.slice(i, i + 1000) });
  }
  // The demo has one of its own, of that name.
  await v1(server, "PUT", "/spaces/2", { name: "Other hosts" });
  const { space } = await post("/ui/api/templates/hosts", {});
  return `/spaces/${space}`;
}

/** A month of orders, of which a few are refused, and more of them while the database failed over. */
async function addObjective(server) {
  const hour = Math.floor(Date.now() / 3_600_000) * 3600;
  for (let from = 0; from < 30; from++) {
    const hours = Array.from({ length: 24 }, (_, i) => from * 24 + i);
    const measurements = hours.flatMap((i) => {
      const [time, placed] = [hour - i * 3600, 2600 + Math.round(900 * Math.sin(i / 3.8))];
      const refused = Math.round(placed * (i === 3 || i === 200 ? 0.31 : 0.002));
      return [{ name: "orders.placed", time, value: placed }, { name: "orders.accepted", time, value: placed - refused }];
    });
    await v1(server, "POST", "/measurements", { measurements });
  }
  await v1(server, "POST", "/objectives", { name: "Orders that go through", good_metric: "orders.accepted", total_metric: "orders.placed", target: 99.5, days: 30 });
}

/** Six hours of latencies with a jump, in a space of its own: where its chart is edited. */
async function addHeatmap(server, context) {
  const end = Math.floor(Date.now() / 60_000) * 60;
  const metric = "checkout.request.duration";
  const regions = ["eu-west", "eu-north", "us-east"];
  for (let from = 0; from < 360; from += 60) {
    const minutes = Array.from({ length: 60 }, (_, i) => from + i);
    const measurements = minutes.flatMap((i) => regions.map((region) => ({ name: metric, time: end - i * 60, tags: { region, environment: "production" }, distribution: latencies(i) })));
    await v1(server, "POST", "/measurements", { measurements });
  }
  const { id } = (await v1(server, "POST", "/spaces", { name: "Checkout latency" })).body;
  const attributes = { kind: "heatmap", rows: "distribution", layers: "both", color_scale: "sqrt" };
  const chart = { name: "Distribution of latency", type: "line", streams: [{ metric, units_short: "ms" }], min: 10, max: 3000, attributes };
  const made = (await v1(server, "POST", `/spaces/${id}/charts`, chart)).body;
  await context.request.put(`/ui/api/spaces/${id}/layout`, { data: { annotations: ["deploys"] } });
  return `/spaces/${id}/charts/${made.id}/edit`;
}

/** What was measured in a minute so long ago: most at 90 ms, and for a while after a deploy slower. The same in every picture. */
function latencies(minutesAgo) {
  const slower = minutesAgo < 200 ? 1.1 * Math.exp((minutesAgo - 200) / 60) : 0;
  let seed = minutesAgo + 1;
  const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const bell = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
  for (let i = 0; i < 10; i++) random(); // seeds that are near each other begin alike
  return Array.from({ length: 200 }, () => Math.round(900 * Math.exp(slower + (0.45 + slower / 3) * bell() + (random() < 0.06 ? 1.6 * random() : 0))) / 10);
}

/** One picture in both themes: the page is loaded once, and its colours change under it. */
async function take(page, at, name, { path, act, ready, still }, wide) {
  const file = (scheme) => `${name}-${wide ? "" : "phone-"}${scheme}.png`;
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(typeof path === "function" ? path(at) : path);
  await settled(page);
  await act?.(page, at);
  await ready?.(page);
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.locator(`html[data-scheme="${scheme}"]`).waitFor({ state: "attached" });
    await settled(page);
    await still?.(page);
    const picture = withPalette(await page.screenshot());
    writeFileSync(`${out}/${file(scheme)}`, picture);
    if (existsSync(`${shown}/${file(scheme)}`)) writeFileSync(`${shown}/${file(scheme)}`, picture);
  }
}

/** All views of one server in one window, one after another. */
async function takeAll(browser, server, views, wide, signedIn) {
  const { context, page, problems } = await openPage(browser, server, wide ? {} : handheld);
  page.setDefaultTimeout(patience);
  if (signedIn) await signIn(context);
  for (const [name, view] of Object.entries(views)) {
    if (!asked(name) || (view.only && (view.only === "wide") !== wide)) continue;
    const where = `${name}${wide ? "" : ", phone"}`;
    try {
      await take(page, server.at, name, view, wide);
    } catch (err) {
      failed++;
      console.log(`${where}: ${String(err.message).split("\n").slice(0, 3).join(" ")}`);
    }
    for (const p of problems.splice(0)) console.log(`${where}: ${p}`);
  }
  await context.close();
}

const any = (views) => Object.keys(views).some(asked);
const both = (browser, server, views, signedIn) => Promise.all([true, false].map((wide) => takeAll(browser, server, views, wide, signedIn)));

mkdirSync(out, { recursive: true });
const started = Date.now();
const browser = await launch();
const servers = [];
try {
  if (any({ ...used, ...signedOut })) {
    const server = await startUsed(browser);
    servers.push(server);
    await both(browser, server, used, true);
    await both(browser, server, signedOut, false);
  }
  if (any({ ...fresh, ...unused })) {
    const server = await startServer();
    servers.push(server);
    server.at = { setup: `/setup/${server.setup}` };
    await both(browser, server, fresh, false);
    await setUp(server);
    await both(browser, server, unused, true);
  }
} finally {
  await browser.close();
  for (const s of servers) await s.stop();
}
console.log(`${failed} failed, ${Math.round((Date.now() - started) / 1000)} s`);
process.exit(failed ? 1 : 0);
