// Prints what the interface costs: first load, a space of 20 charts with 5
// streams each over 24 hours, 40 charts of which four have 2,000 streams, a slow
// line, a live page that nobody touches, its heap, and 166,000 points in one
// frame. Needs bin/tidemark and Debian's chromium.
// Usage: [MINUTES=60] node test/ui/bench.mjs, for how long the heap is watched.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, openPage, setUp, signIn, startServer, v1 } from "./server.mjs";

const ui = fileURLToPath(new URL("../../ui", import.meta.url));
const day = 86400;
const now = Math.floor(Date.now() / 60000) * 60;
const rows = [];
const row = (what, got, goal) => rows.push([what, got, goal]);

async function fill(server) {
  const hosts = Array.from({ length: 5 }, (_, i) => `web-0${i + 1}`);
  for (let m = 0; m < 20; m++) {
    for (const host of hosts) {
      const measurements = [];
      for (let t = now - day; t <= now; t += 60) measurements.push({ name: `bench.m${m}`, value: 50 + 30 * Math.sin(t / 3000 + m) + (t % 7), time: t, tags: { host } });
      const { status } = await v1(server, "POST", "/measurements", { measurements });
      if (status !== 202) throw new Error(`recording: ${status}`);
    }
  }
  const { body } = await v1(server, "POST", "/spaces", { name: "Bench" });
  for (let m = 0; m < 20; m++)
    await v1(server, "POST", `/spaces/${body.id}/charts`, { name: `Chart ${m}`, type: m % 4 === 3 ? "stacked" : "line", streams: [{ metric: `bench.m${m}`, tags: [{ name: "host", grouped: true }] }] });
  return body.id;
}

const longTasks = () => {
  globalThis.longTasks = [];
  new PerformanceObserver((l) => globalThis.longTasks.push(...l.getEntries().map((e) => e.duration))).observe({ type: "longtask", buffered: true });
};

/** Adds up how long the page itself reads large texts. */
const largeTexts = () => {
  globalThis.readingTook = 0;
  const parse = JSON.parse;
  JSON.parse = (text, ...rest) => {
    const start = performance.now();
    const read = parse(text, ...rest);
    if (text.length > 100_000) globalThis.readingTook += performance.now() - start;
    return read;
  };
};

/** Waits for some answers with new points. */
async function ticks(page, n) {
  for (let i = 0; i < n; i++) await page.waitForResponse((r) => r.url().endsWith("/ui/api/query"));
}

async function space(browser, server, id) {
  const { context, page } = await openPage(browser, server, { viewport: { width: 1440, height: 6000 } });
  await context.addInitScript(longTasks);
  await signIn(context);
  // Once to fill the browser's cache, as for whoever comes a second time.
  await page.goto(`/spaces/${id}?from=-24h`);
  await page.waitForFunction(() => document.querySelectorAll("[data-legend]").length === 100);
  const times = [];
  for (let i = 0; i < 3; i++) {
    const start = Date.now();
    await page.goto(`/spaces/${id}?from=-24h`);
    await page.waitForFunction(() => document.querySelectorAll("[data-legend]").length === 100, undefined, { polling: 20 });
    times.push(Date.now() - start);
  }
  row("20 charts x 5 streams, 24 h: all drawn (median of 3)", `${times.sort((a, b) => a - b)[1]} ms`, "700 ms");
  const bytes = await page.evaluate(() => performance.getEntriesByType("resource").filter((r) => /\.(js|css)$/.test(r.name)).length);
  row("scripts and styles asked for", String(bytes), "");
  await page.goto(`/spaces/${id}?from=-15m`);
  await page.waitForFunction(() => document.querySelectorAll("canvas").length >= 20);
  await ticks(page, 3); // what loading left behind is done by then
  await page.evaluate(() => {
    globalThis.longTasks.length = 0;
  });
  await ticks(page, 12);
  const long = await page.evaluate(() => globalThis.longTasks);
  row("longest task while live, 12 ticks, one every second", `${Math.round(Math.max(0, ...long))} ms`, "100 ms");
  await context.close();
}

/** When drawing began and ended, kept by the canvas itself. */
const watchDrawing = () => {
  const proto = CanvasRenderingContext2D.prototype;
  for (const name of ["clearRect", "stroke"]) {
    const draw = proto[name];
    proto[name] = function (...a) {
      const from = performance.now();
      const r = draw.apply(this, a);
      globalThis.drawing = { from: globalThis.drawing?.from ?? from, to: performance.now() };
      return r;
    };
  }
};
/** The drawing that has ended: nothing was drawn since for a while. */
const rested = () => globalThis.drawing && performance.now() - globalThis.drawing.to > 200 && globalThis.drawing;

/** uPlot with our options, 166,000 points: 10 lines of 16,600. */
async function points(browser, server, id) {
  const { context, page } = await openPage(browser, server);
  await context.addInitScript(watchDrawing);
  await signIn(context);
  await context.addInitScript(largeTexts);
  const series = Array.from({ length: 10 }, (_, s) => {
    const times = Array.from({ length: 16_600 }, (_, i) => now - 16_600 + i);
    return { metric: "big", tags: { host: `h${s}` }, times, values: times.map((t) => 100 * s + 40 * Math.sin(t / 500 + s) + (t % 11)) };
  });
  await page.route("**/ui/api/query", async (route) => {
    const asked = route.request().postDataJSON();
    const results = asked.queries.map((q) => ({ id: q.id, series: q.id.endsWith(":0") && q.id.startsWith("0:") ? series : [], streams: 10, period: 1 }));
    const lines = results.map((r) => `${JSON.stringify(r)}\n`);
    await route.fulfill({ contentType: "application/json", body: `{"resolution":1,"results":[\n${lines.join(",")}]}\n` });
  });
  await page.goto(`/spaces/${id}/charts/${(await v1(server, "GET", `/spaces/${id}/charts`)).body[0].id}?from=${now - 16_600}&to=${now}`);
  await page.waitForFunction(() => document.querySelectorAll("[data-legend]").length >= 8);
  row("166,000 points (4.9 MB) read on the page's own thread", `${await page.evaluate(() => Math.round(globalThis.readingTook))} ms`, "0 ms, a worker reads");
  // A change of size draws everything anew; what is measured is that task.
  const took = [];
  for (let i = 0; i < 6; i++) {
    await page.evaluate(() => {
      globalThis.drawing = undefined;
    });
    await page.setViewportSize({ width: 1440 - i * 20 - 20, height: 900 });
    const { from, to } = await (await page.waitForFunction(rested)).jsonValue();
    took.push(to - from);
  }
  took.shift(); // the first one may still draw what came with loading
  row("166,000 points drawn (median of 5)", `${took.sort((a, b) => a - b)[2].toFixed(0)} ms`, "100 ms");
  await context.close();
}

/** A space of 40 charts, the first four with 2,000 streams each. */
async function fillMany(server) {
  for (let m = 0; m < 4; m++) {
    for (let from = 0; from < 2000; from += 100) {
      const measurements = [];
      for (let h = from; h < from + 100; h++)
        for (let t = now - 3600; t <= now; t += 60) measurements.push({ name: `many.m${m}`, value: h % 97 + 20 * Math.sin(t / 600 + h), time: t, tags: { host: `host-${h}` } });
      const { status } = await v1(server, "POST", "/measurements", { measurements });
      if (status !== 202) throw new Error(`recording: ${status}`);
    }
  }
  const { body } = await v1(server, "POST", "/spaces", { name: "Many" });
  for (let c = 0; c < 40; c++)
    await v1(server, "POST", `/spaces/${body.id}/charts`, { name: `Chart ${c}`, type: "line", streams: [{ metric: c < 4 ? `many.m${c}` : `bench.m${c % 20}`, tags: [{ name: "host", grouped: true }] }] });
  return body.id;
}

const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];

/** Waits until nothing was drawn for a second, and returns when drawing ended, from the start of the page. */
const drawn = async (page) =>
  (await (await page.waitForFunction(() => globalThis.drawing && performance.now() - globalThis.drawing.to > 1000 && globalThis.drawing)).jsonValue()).to;

async function many(browser, server, id) {
  const { context, page } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watchDrawing);
  await context.addInitScript(longTasks);
  await signIn(context);
  const took = [];
  for (let i = 0; i < 4; i++) {
    await page.goto(`/spaces/${id}?from=${now - 3600}&to=${now}`);
    took.push(await drawn(page));
  }
  took.shift(); // fills the browser's cache
  row("40 charts, four of 2,000 lines: what is in sight drawn (median of 3)", `${Math.round(median(took))} ms`, "1500 ms");
  const { x, y, width, height } = await page.locator("canvas").first().boundingBox();
  await page.mouse.move(x + 20, y + height / 2);
  await page.evaluate(() => {
    globalThis.longTasks.length = 0;
  });
  for (let i = 0; i < 120; i++) await page.mouse.move(x + 20 + ((width - 40) * i) / 120, y + height / 2 + 30 * Math.sin(i / 9));
  await page.waitForTimeout(500);
  row("longest task while the mouse moves over 2,000 lines", `${Math.round(Math.max(0, ...(await page.evaluate(() => globalThis.longTasks))))} ms`, "100 ms");
  await context.close();
}

/** Somebody who comes for the first time, over 400 kbit/s and 400 ms. */
async function slowLine(browser, server, id) {
  const { context, page } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
  await context.addInitScript(watchDrawing);
  await signIn(context);
  const line = await context.newCDPSession(page);
  await line.send("Network.emulateNetworkConditions", { offline: false, latency: 400, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 });
  await line.send("Network.setCacheDisabled", { cacheDisabled: true });
  await page.goto(`/spaces/${id}?from=-1h`, { timeout: 120_000, waitUntil: "commit" });
  const at = await (await page.waitForFunction(() => globalThis.drawing?.from, undefined, { timeout: 120_000 })).jsonValue();
  const paint = await page.evaluate(() => performance.getEntriesByName("first-paint")[0]?.startTime);
  row("400 kbit/s and 400 ms, nothing cached: first paint", `${(paint / 1000).toFixed(1)} s`, "2 s");
  row("400 kbit/s and 400 ms, nothing cached: data", `${(at / 1000).toFixed(1)} s`, "6 s");
  await context.close();
}

/** Seconds of processors that the browser has taken: everything below this process but the server. */
function browserSeconds(server) {
  const all = new Map();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
      all.set(Number(pid), { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) });
    } catch {
      // It has ended meanwhile.
    }
  }
  const isBelow = (pid) => pid !== server && (pid === process.pid || (all.has(pid) && isBelow(all.get(pid).parent)));
  let ticks = 0;
  for (const [pid, p] of all) if (pid !== process.pid && isBelow(pid)) ticks += p.ticks;
  return ticks / 100;
}

/** A live page that nobody touches: processor, and what stays on its heap. */
async function idle(browser, server, id) {
  const { context, page } = await openPage(browser, server, { viewport: { width: 1440, height: 900 } });
  await signIn(context);
  await page.goto(`/spaces/${id}?from=-1h`);
  await page.waitForFunction(() => document.querySelectorAll("canvas").length >= 4);
  const devtools = await context.newCDPSession(page);
  const heap = async () => {
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize / 2 ** 20;
  };
  const sender = setInterval(() => {
    const time = Math.floor(Date.now() / 1000);
    const measurements = Array.from({ length: 100 }, (_, i) => ({ name: `bench.m${i % 20}`, value: 50 + 30 * Math.sin(time / 30 + i), time, tags: { host: `web-0${(i % 5) + 1}` } }));
    void v1(server, "POST", "/measurements", { measurements });
  }, 1000);
  await page.waitForTimeout(30_000);
  const before = await heap();
  const minutes = Number(process.env.MINUTES ?? 2);
  const [start, used] = [Date.now(), browserSeconds(server.pid)];
  await page.waitForTimeout(minutes * 60_000);
  const share = (browserSeconds(server.pid) - used) / ((Date.now() - start) / 1000);
  row(`live page that nobody touches, ${minutes} min`, `${(100 * share).toFixed(1)} % of a core`, "2 %");
  row(`its heap after ${minutes} min of live updates`, `${before.toFixed(1)} -> ${(await heap()).toFixed(1)} MiB`, "flat");
  clearInterval(sender);
  await context.close();
}

const server = await startServer();
const browser = await launch();
try {
  for (const line of execFileSync("node", ["scripts/size.mjs"], { cwd: ui, encoding: "utf8" }).trim().split("\n").slice(0, 2)) {
    const [, what, size] = /^(.*?)\s+([\d.]+) KB/.exec(line);
    row(`${what}: scripts and styles`, `${size} KB gzip`, what.includes("first load") ? "200 KB" : "");
  }
  await setUp(server);
  const id = await fill(server);
  await space(browser, server, id);
  await points(browser, server, id);
  await slowLine(browser, server, id);
  await many(browser, server, await fillMany(server));
  await idle(browser, server, id);
} finally {
  await browser.close();
  await server.stop();
}
const width = Math.max(...rows.map((r) => r[0].length));
for (const [what, got, goal] of rows) console.log(`${what.padEnd(width)}  ${got.padStart(14)}${goal && `   goal ${goal}`}`);
