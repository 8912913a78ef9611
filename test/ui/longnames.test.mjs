// Lists in which names are as long as they may be, without a blank at which
// they could break: each fits its panel, with the buttons of every row.
// Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { v1 } from "./server.mjs";
import { newSpace, now, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const ordinary = "production.payments.eu_west_1.checkout_service.jvm.gc.pause.p99.high_1";
/** The same again and again, as long as n. */
const long = (n) => ordinary.slice(0, -2).repeat(9).slice(0, n);
const widths = [1280, 768, 360];

const made = async (method, path, body) => {
  const { status, body: answer } = await v1(server, method, path, body);
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(answer)}`);
  return answer;
};

/** One of everything that has a name, with names of n characters. */
async function fill(context, n) {
  const name = n === 70 ? ordinary : long(n);
  const ui = async (path, data) => {
    const res = await context.request.post(`/ui/api/${path}`, { data });
    assert.ok(res.ok(), `${path}: ${res.status()} ${await res.text()}`);
    return res.json();
  };
  await made("POST", "/measurements", { measurements: [60, 0].map((ago) => ({ name, value: 9, time: now() - ago, tags: { [long(Math.min(n, 64))]: long(n) } })) });
  const service = (await made("POST", "/services", { type: "webhook", title: name, settings: { url: `http://127.0.0.1:1/${long(n)}` } })).id;
  const labels = { [long(Math.min(n, 64))]: long(n) };
  await made("POST", "/alerts", { name, labels, services: [service], conditions: [{ type: "above", metric_name: name, threshold: 5 }] });
  await made("POST", "/alerts", { name: `${name.slice(0, -2)}.q`, labels, services: [service], conditions: [{ type: "above", metric_name: name, threshold: 500 }] });
  const space = await newSpace(server, name, { name, streams: [{ metric: name }] });
  await context.request.put(`/ui/api/spaces/${space}/about`, { data: { tags: [long(30)] } });
  await newSpace(server, `Another ${n}`);
  await made("DELETE", `/spaces/${await newSpace(server, `${name.slice(0, -2)}.d`)}`);
  await made("POST", `/annotations/${name}`, { title: name, description: name, source: name, start_time: now() - 600 });
  await made("POST", "/objectives", { name, good_metric: "shop.errors", total_metric: name, target: 99 });
  await made("POST", "/maintenance", { name, starts_at: now() + 86_400, ends_at: now() + 90_000, covers: { all: true } });
  const token = (await made("POST", "/api_tokens", { name, role: "admin" })).id;
  await ui("checks", { name: name.slice(0, 100), kind: "http", target: `https://example.org/${long(n)}`, services: [service], after: 0, down_in: "any", silence: false });
  await ui("playlists", { name, spaces: [{ space, seconds: 600, range: "-1h" }] });
  await ui("invitations", { email: `${long(60).replaceAll(".", "-")}@${n}.example.org`, role: "member" });
  server.cli(["user", "create", `${long(60).replaceAll(".", "-")}@${n}.example.net`, "--role", "viewer"], "a screen on the wall");
  return { space, token };
}

/** What does not fit: of the page, of panels that cut or scroll, and buttons of rows that are out of sight. */
const outside = (page) =>
  page.evaluate(() => {
    const found = [];
    const say = (e, why) => found.push(`${e.tagName.toLowerCase()}.${String(e.className.baseVal ?? e.className).slice(0, 60)} ${why} "${e.textContent.trim().slice(0, 30)}"`);
    const root = document.documentElement;
    if (root.scrollWidth > root.clientWidth) say(root, `${root.scrollWidth} > ${root.clientWidth}`);
    for (const e of document.querySelectorAll("main *")) {
      const style = getComputedStyle(e);
      const ends = style.textOverflow === "ellipsis" || style.webkitLineClamp !== "none";
      const holds = e.matches("[class*=panel], [class*=list], section, table") || e.querySelector("table");
      if (e.matches("[class*=scroll]")) {
        // As many columns of numbers as there are: it scrolls, but not for the sake of a name.
        for (const cell of e.querySelectorAll("td:first-child")) if (cell.offsetWidth > e.clientWidth) say(cell, `${cell.offsetWidth} > ${e.clientWidth}`);
        continue;
      }
      if (style.overflowX !== "visible" && !ends && holds && e.scrollWidth > e.clientWidth + 1) say(e, `${e.scrollWidth} > ${e.clientWidth}`);
    }
    for (const b of document.querySelectorAll("main :is(tr, li) :is(button, a)")) {
      const box = b.getBoundingClientRect();
      if (box.width > 0 && !b.closest("[class*=scroll]") && box.right > innerWidth + 1) say(b, `ends at ${Math.round(box.right)}`);
    }
    return found;
  });

describe("names as long as they may be", () => {
  onServer(() => startShop());

  for (const n of [70, 255]) {
    test(`of ${n} characters`, async () => {
      const { context, page, problems } = await visit(browser, server);
      const { space, token } = await fill(context, n);
      const name = n === 70 ? ordinary : long(n);
      const lists = [
        "/alerts", "/alerts?view=cards", "/spaces", "/playlists", "/metrics", `/metrics?name=${name}`, "/annotations", `/annotations/${name}`, "/checks", "/objectives", "/maintenance", "/send",
        "/settings/services", "/settings/tokens", `/settings/tokens/${token}`, "/settings/members", "/settings/deleted", "/settings/audit", "/settings/usage", "/settings/notifications", "/settings/sessions",
        `/spaces/${space}/history`, `/explore?metric=${name}`,
      ];
      const bad = [];
      for (const path of lists) {
        await page.goto(path);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          bad.push(...(await outside(page)).map((what) => `${path.slice(0, 40)} at ${width}: ${what}`));
        }
      }
      assert.deepEqual(bad, []);
      assert.deepEqual(problems, []);
      await page.close();
    });
  }
});
