// Takes the pictures in docs/screenshots from the demo: every page, light and
// dark, wide and on a phone. Usage: node test/ui/screenshots.mjs [name ...]
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { launch, openPage, setUp, signIn, startServer, until } from "./server.mjs";
import { phone as handheld, settled } from "./shop.mjs";

const out = process.env.OUT ?? fileURLToPath(new URL("../../docs/screenshots", import.meta.url));
const wanted = process.argv.slice(2);
mkdirSync(out, { recursive: true });

/** What to show: a path, and what to do before the picture. */
const pages = {
  space: { path: "/spaces/1" },
  "space-crosshair": { path: "/spaces/1", act: (p) => hover(p, '[role="img"]', 0.55) },
  "space-time": { path: "/spaces/1", act: (p) => p.keyboard.press("t"), phone: false },
  "space-filter": { path: "/spaces/1?tag.region=eu-central,us-east", act: (p) => p.getByRole("button", { name: /region is any of/ }).click() },
  "space-share": { path: "/spaces/1", act: (p) => p.getByRole("button", { name: "Share" }).click(), phone: false },
  spaces: { path: "/spaces" },
  "chart-full": { path: "/spaces/1/charts/5" },
  "chart-editor": { path: "/spaces/1/charts/10/edit" },
  "composite-editor": { path: "/spaces/1/charts/3/edit" },
  "composite-error": { path: "/spaces/1/charts/3/edit", act: breakComposite, phone: false },
  wall: { path: "/spaces/1/wall", phone: false },
  explore: { path: "/explore?metric=checkout.requests&group=region" },
  metrics: { path: "/metrics?q=checkout*&name=checkout.requests&group=region" },
  alerts: { path: "/alerts" },
  alert: { path: "/alerts/1" },
  "alert-delivery": { path: "/alerts/1", act: openDelivery },
  "alert-editor": { path: "/alerts/1/edit" },
  annotations: { path: "/annotations/deploys" },
  send: { path: "/send" },
  tokens: { path: "/settings/tokens" },
  "token-new": { path: "/settings/tokens/new" },
  "token-details": { path: "/settings/tokens", act: openFirstToken },
  general: { path: "/settings/general" },
  members: { path: "/settings/members" },
  services: { path: "/settings/services" },
  usage: { path: "/settings/usage" },
  sessions: { path: "/settings/sessions" },
  audit: { path: "/settings/audit" },
  palette: { path: "/spaces/1", act: async (p) => { await p.keyboard.press("Control+k"); await p.getByRole("combobox").fill("check"); await p.getByRole("option", { name: /checkout.latency.high/ }).waitFor(); } },
  keys: { path: "/spaces/1", act: (p) => p.keyboard.press("?"), phone: false },
};

async function hover(page, selector, at) {
  const target = page.locator(selector).first();
  await target.waitFor();
  const box = await target.boundingBox();
  await page.mouse.move(box.x + box.width * at, box.y + box.height * 0.4);
}
async function breakComposite(page) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("s");
  await page.keyboard.press("Escape");
  await page.locator(".cm-lintRange-error").waitFor();
}
async function openDelivery(page) {
  await page.getByRole("button", { name: /^Deploy gate/ }).first().click();
  await page.getByRole("dialog").locator("pre").waitFor();
}
async function openFirstToken(page) {
  await page.locator("table tbody a, table tbody button").first().click();
}

const only = (name) => wanted.length === 0 || wanted.includes(name);
const server = process.env.BASE ? undefined : await startServer("--demo");
const at = server ?? { base: process.env.BASE };
const browser = await launch();
let failed = 0;
try {
  if (server) {
    await setUp(server);
    await until(() => /demo is filled/.test(server.log()), () => server.log(), 120_000);
    const { context } = await openPage(browser, at);
    await signIn(context);
    await context.request.put("/ui/api/pins", { data: { spaces: [1, 2, 3, 4] } });
    await context.close();
  }
  for (const scheme of ["light", "dark"]) {
    for (const phone of [false, true]) {
      const size = phone ? handheld : {};
      const { context, page, problems } = await openPage(browser, at, { colorScheme: scheme, deviceScaleFactor: 1, ...size });
      await signIn(context);
      for (const [name, { path, act, phone: onPhone = true }] of Object.entries(pages)) {
        if (!only(name) || (phone && !onPhone)) continue;
        try {
          await page.goto(path);
          await settled(page);
          await act?.(page);
          await settled(page);
          await page.screenshot({ path: `${out}/${name}-${phone ? "phone-" : ""}${scheme}.png` });
        } catch (err) {
          failed++;
          console.log(`${name} ${scheme}${phone ? " phone" : ""}: ${String(err.message).split("\n")[0]}`);
        }
        for (const p of problems.splice(0)) console.log(`${name} ${scheme}${phone ? " phone" : ""}: ${p}`);
      }
      await context.close();
    }
  }
} finally {
  await browser.close();
  await server?.stop();
}
process.exit(failed ? 1 : 0);
