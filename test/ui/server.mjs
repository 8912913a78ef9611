// Starts the real binary on a port of its own with a data directory of its
// own, and stops it again. What the journeys and the screenshots stand on.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startCluster } from "./cluster.mjs";
import { insertAsTyped, launchFirefox } from "./firefox.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
// The browser driver is the interface's: it has the only package.json.
const { chromium } = createRequire(join(root, "ui/package.json"))("playwright-core");

export const owner = { email: "owner@example.org", password: "correct horse battery staple" };

function freePort() {
  return new Promise((resolve, reject) => {
    const s = createServer();
    s.once("error", reject);
    s.listen(0, "127.0.0.1", () => {
      const { port } = s.address();
      s.close(() => resolve(port));
    });
  });
}

/**
 * A running server: its address, its first token and the key of its first
 * link. Words are flags, an object is added to its environment; a function in
 * it is given the server's address.
 */
export async function startServer(...given) {
  const flags = given.filter((g) => typeof g === "string");
  const binary = process.env.TIDEMARK ?? join(root, "bin/tidemark");
  if (process.env.TIDEMARK_TEST_CLUSTER) return startCluster(binary, flags, given.find((g) => typeof g === "object") ?? {});
  const data = mkdtempSync(join(tmpdir(), "tidemark-ui-"));
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const asked = Object.entries(given.find((g) => typeof g === "object") ?? {});
  const env = Object.fromEntries(asked.map(([name, v]) => [name, typeof v === "function" ? v(base) : v]));
  const child = spawn(binary, ["serve", "--data", data, "--listen", `127.0.0.1:${port}`, ...flags], {
    env: { ...process.env, TIDEMARK_OUTBOUND_ALLOW: "127.0.0.0/8", TIDEMARK_ALERTING_OWN_ORGANIZATION: "none", ...(env.TIDEMARK_SMTP_HOST && { TIDEMARK_PUBLIC_URL: base }), ...env },
  });
  let said = "";
  child.stdout.on("data", (d) => (said += d));
  child.stderr.on("data", (d) => (said += d));
  await until(() => /setup\/\S+/.test(said) && /tmk_\w+/.test(said), () => `the server did not start:\n${said}`, 60_000);
  await until(async () => (await fetch(`${base}/ui/api/signin`).catch(() => ({ ok: false }))).ok, () => `no answer from ${base}:\n${said}`);
  return {
    base,
    pid: child.pid,
    /** Runs a command on this server's data: its output. */
    cli: (words, input = "") => execFileSync(binary, [...words, "--data", data], { input, encoding: "utf8" }),
    setup: /setup\/(\S+)/.exec(said)[1],
    token: /tmk_\w+/.exec(said)[0],
    log: () => said,
    async stop() {
      const gone = new Promise((r) => child.once("exit", r));
      child.kill("SIGTERM");
      await gone;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The file that a source of the interface was built into. */
export const partOf = (source) => JSON.parse(readFileSync(join(root, "ui/dist/.vite/manifest.json"), "utf8"))[source].file;

/** Waits for something to become true, looking ten times a second. */
export async function until(check, complaint = () => "it did not happen", limit = 15_000) {
  const end = Date.now() + limit;
  for (;;) {
    const got = await check();
    if (got) return got;
    if (Date.now() > end) throw new Error(complaint());
    await new Promise((r) => setTimeout(r, 100));
  }
}

/** Makes the owner without the browser. */
export async function setUp(server, org = "Example Shop") {
  const res = await fetch(`${server.base}/ui/api/setup/${server.setup}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ org_name: org, ...owner }),
  });
  if (!res.ok) throw new Error(`setting up: ${res.status} ${await res.text()}`);
}

/** A call of /v1 with a token. */
export async function v1(server, method, path, body, token = server.token) {
  const res = await fetch(`${server.base}/v1${path}`, {
    method,
    headers: { Authorization: `Basic ${btoa(`${token}:`)}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await res.text();
  return { status: res.status, body: text ? JSON.parse(text) : undefined };
}

// Chromium loads the pages of its own address bar for every window, which takes
// longer than to load ours. A list of features replaces the driver's: what that
// has for the sake of steady journeys is in this one too.
const without = [
  "WebUIOmniboxPopup", "WebUIOmniboxAimPopup",
  "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "PaintHolding", "ThirdPartyStoragePartitioning",
  "AimEnabled", "LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PreconnectToSearch",
];

export const inFirefox = process.env.TIDEMARK_BROWSER === "firefox";

const start = (executablePath) => chromium.launch({ executablePath, args: [`--disable-features=${without}`] });

/** Chromium with all it has, such as notifications. */
export const launchWhole = () => start(process.env.CHROMIUM ?? "/usr/bin/chromium");

/** The same browser without windows of its own, where there is one: it takes a fifth less of the processors. */
export const launch = () => inFirefox ? launchFirefox() : start(process.env.CHROMIUM ?? ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync));

/** A browser of somebody's own: cookies, storage and cache. */
export async function newContext(browser, server, options = {}) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    baseURL: server.base,
    ...options,
  });
  if (inFirefox) await insertAsTyped(context);
  return context;
}

// Of what is on its way when a page is left Firefox says that it was stopped (NS_BINDING_ABORTED).
const stopped = /^download failed \(font-family: .* status=2152398850 /;

/** A browser window whose complaints end up in problems; requests to other hosts too. */
export async function openPage(browser, server, options) {
  return openWindow(await newContext(browser, server, options), server);
}

/** The same in a context that is there. */
export async function openWindow(context, server) {
  const page = await context.newPage();
  const problems = [];
  page.on("pageerror", (e) => stopped.test(e.message) || problems.push(`error: ${e.message}`));
  page.on("console", (m) => {
    // The browser itself reports refused requests; those that a journey provokes are its own business.
    if (m.type() === "error" && !/Failed to load resource/.test(m.text())) problems.push(`console: ${m.text()}`);
  });
  page.on("request", (r) => {
    if (!r.url().startsWith(server.base) && !r.url().startsWith("data:") && !r.url().startsWith("blob:")) problems.push(`foreign request: ${r.url()}`);
  });
  return { context, page, problems };
}

/** Signs in through the API, so that a journey starts inside. */
export async function signIn(context, who = owner) {
  const res = await context.request.post("/ui/api/session", { data: who });
  if (!res.ok()) throw new Error(`signing in: ${res.status()} ${await res.text()}`);
}
