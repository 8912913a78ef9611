// Everything that opens over a page: menus, floats, dialogs and drawers, with
// what has to be pressed to see each.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { until, v1 } from "./server.mjs";
import { newSpace, now } from "./shop.mjs";

const key = (k) => (page) => page.keyboard.press(k);
const check = (name) => (page) => page.getByRole("checkbox", { name }).first().check();
const inSidebar = (name) => (page) => page.locator("nav").getByRole("button", { name }).click();
const inBar = (name) => (page) => page.getByRole("toolbar").getByRole("button", { name, exact: true }).click();
const metricField = (page) => page.getByRole("combobox", { name: "Metric" }).first().click();

/** The menu of a chart, which is seen while the mouse is on it. */
const menuOf = (chart) => async (page) => {
  const card = page.getByRole("article", { name: chart, exact: true });
  await card.hover();
  await card.getByRole("button", { name: "More", exact: true }).click();
};

async function palette(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("shop");
  await page.getByRole("option", { name: /shop.latency/ }).first().waitFor();
}

async function invite(page) {
  const dialog = page.getByRole("dialog", { name: "Invite member" });
  await dialog.getByLabel("E-mail").fill("newer@example.org");
  await dialog.getByRole("button", { name: /^Invite|^Send/ }).click();
  await page.getByRole("dialog", { name: "newer@example.org is invited" }).waitFor();
}

async function changedName(page) {
  await page.getByRole("dialog").getByLabel("Name").fill("other");
  await page.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("dialog", { name: /Discard changes/ }).waitFor();
}

async function changedChart(page) {
  await page.getByRole("complementary", { name: "Chart settings" }).getByLabel("Name").fill("Other");
  await page.getByRole("button", { name: "Cancel" }).click();
}

const delivery = (page) => page.getByRole("dialog").locator("pre").waitFor();

/** Nobody is signed in afterwards. */
async function signedOut(page) {
  await page.getByLabel("Name of the organization").fill("Another name");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
}

/** What the layers are about and the pages do not need: a space, a chart of it, and when a metric jumped. */
async function prepare(page, server) {
  const ask = async (method, path, data) => {
    const answer = await page.context().request[method](`/ui/api${path}`, { data });
    assert.ok(answer.ok(), `${method} ${path}: ${answer.status()} ${await answer.text()}`);
  };
  const links = [{ title: "Host page", url: "https://example.org/{host}" }];
  const streams = [{ metric: "shop.latency", tags: [{ name: "host", grouped: true }] }];
  const space = await newSpace(
    server, "Layers", { name: "Latency", streams, attributes: { links } }, { name: "Hosts", streams, attributes: { kind: "table", links } },
    { name: "Sum", streams: [{ type: "composite", composite: 'sum(s("shop.latency", "*"))' }, ...streams] },
  );
  const [latency, hosts, sum] = (await v1(server, "GET", `/spaces/${space}/charts`)).body.map((c) => c.id);
  const box = { width: 6, height: 5, row: 0, section: 1 };
  const layout = [{ ...box, chart: latency, col: 0 }, { ...box, chart: hosts, col: 6 }, { ...box, row: 5, chart: sum, col: 0 }];
  await ask("put", `/spaces/${space}/layout`, { layout, sections: [{ name: "Front" }], default_tags: [], annotations: ["deploys"] });
  await ask("put", `/spaces/${space}/about`, { tags: ["checkout"], owner: 1 });
  const chat = (await v1(server, "POST", "/services", { type: "slack", title: "Room", settings: { url: "http://127.0.0.1:1/" } })).body.id;
  await ask("post", `/spaces/${space}/reports`, { name: "Nightly", range: "-1d", services: [chat], schedule: { every: "day", time: "09:00", zone: "UTC" } });
  await v1(server, "POST", "/alerts", { name: "latency.low", labels: { team: "checkout" }, conditions: [{ type: "below", metric_name: "shop.latency", threshold: 1 }] });
  await ask("post", "/checks", { name: "Backup", kind: "heartbeat", every: 3600, grace: 60 });
  await ask("post", "/limits/requests", { name: "alerts", wanted: 100_000 });
  await ask("post", "/alert_views", { name: "Mine", filter: { severity: "critical" } });
  const end = Math.floor(now() / 60) * 60;
  const measurements = Array.from({ length: 60 }, (_, i) => ({ name: "shop.queue", time: end - i * 60, tags: { host: "web-01" }, value: i < 9 ? 380 : 1 + (i % 2) }));
  await v1(server, "POST", "/measurements", { measurements });
  return { space: `/spaces/${space}`, sum, jump: `${end - 540}-${end}` };
}

/** Measures until the alert fires. */
async function fire(server, path) {
  const measurements = [{ name: "shop.latency", value: 40, time: now(), tags: { host: "web-01" } }];
  const fires = async () => (await v1(server, "GET", `${path}/incidents`)).body.incidents.some((i) => i.cleared_at === null);
  await until(async () => (await fires()) || (await v1(server, "POST", "/measurements", { measurements }), false), () => "nothing fires", 60_000);
}

/**
 * The layers of each page: for each what is pressed, one after the other; a
 * name is that of a button or an entry, in what is open by then or on the page.
 */
export async function layersOf(page, server, at) {
  const { space, sum, jump } = await prepare(page, server);
  await fire(server, at["/alerts/$id"]);
  return {
    [at["/spaces"]]: [[palette], [key("?")], ["New space"], [inSidebar(/Example Shop/)], [inSidebar("owner@example.org")], [/^Sort/], ["Tag"]],
    [`${space}?from=-1h&tag.host=web-01`]: [
      ["Share"], [key("t")], ["Filter by tag"], [/^host/], ["Compare"], [/ from deploys$/], [/deploy 4\.18\.2/], ["More for Front"], [/^Links of/], [/^More for .*web-01/],
      ["More"], ["More", "Add section…"], ["More", "Rename…"], ["More", "Tags and owner…"], ["More", "Duplicate…"], ["More", "Delete…"], ["More", "Import JSON…"],
      ["More", "Send pictures…"], ["More", "Send pictures…", "Schedule a picture"], ["More", "Send pictures…", "Actions for Nightly"],
      [menuOf("Latency")], [menuOf("Latency"), /^Note what happened…/], [menuOf("Latency"), "History"],
      [key("e"), check("Select Latency"), check("Select Hosts"), inBar("Copy to space…")], [check("Select Latency"), inBar("Move to space…")],
    ],
    [`${space}/charts/${sum}/edit`]: [["Colour of A"], ["More"], [/^sum\(/, "Save as metric…"], ["Function reference"], [/^shop\.latency.*one line each/, "+ tag"], [/^host/], [metricField], [changedChart]],
    [at["/spaces/$id/history/$save"]]: [["Name this save"]],
    [at["/playlists"]]: [["Actions for Office"]],
    [`${at["/explore"]}&from=-1h&brush=${jump}`]: [[metricField], ["Queries"], ["Queries", "Save this query…"], ["Group by a tag"], [/^More for shop\.queue/], ["Side by side", "More for query A"]],
    [at["/metrics"]]: [["Add to space"], ["Edit properties"], ["More"], ["More", "Delete…"], ["by name"], [/^\d+ space/]],
    [at["/alerts"]]: [
      ["Snooze"], ["Resolve"], ["Severity"], ["Label"], ["Notifies"], ["Actions for latency.low"], ["Actions for latency.low", "Delete…"],
      [check("Select latency.high"), inBar("Snooze")], [inBar("Severity")], [inBar("Labels")], [inBar("Add service")],
    ],
    [`${at["/alerts"]}?severity=critical`]: [["View Mine, only for you"]],
    [`${at["/alerts"]}?severity=warning`]: [["Save view"]],
    [at["/alerts/$id"]]: [["More"], ["More", "History"], [/^Hook/, delivery]],
    [at["/alerts/new"]]: [["tag"], ["Service"], ["Service", "New service…"], ["Add condition"], ["Build one"]],
    [at["/checks"]]: [["More about Backup"], ["New check", "From"]],
    [at["/maintenance"]]: [["New window", "Add"]],
    [at["/objectives"]]: [["New objective"]],
    [at["/objectives/$id"]]: [["More"], ["Edit"], ["Add burn alerts"]],
    [at["/annotations/$name"]]: [["Add annotation"], ["Actions for deploy 4.18.2"], ["Actions for deploy 4.18.2", "Edit"]],
    [at["/services"]]: [["Add service"], ["Hook"], ["Actions for Hook"], ["Actions for Hook", "Delete…"]],
    [at["/tokens"]]: [["Actions for first token"], ["Actions for first token", "Delete…"]],
    [`${at["/tokens"]}/9999`]: [[]],
    [at["/$id"]]: [[changedName]],
    [at["/members"]]: [["Invite member"], ["Invite member", invite]],
    [at["/usage"]]: [["Drop a tag…"], ["Ask the operator for more…"]],
    [at["/operator/limits"]]: [["New organization"], ["Example Shop"], [/^Answer Example Shop/]],
    [`${at["/operator/limits"]}?org=9999`]: [[]],
    [at["/general"]]: [[signedOut]],
  };
}

/** Those that are unlike themselves on a phone. */
export const layersOnPhone = (_page, _server, at) => ({
  [at["/spaces/$id"]]: [[palette], ["More", "Import JSON…"]],
  [at["/metrics"]]: [["Edit properties"]],
  [at["/alerts/$id"]]: [[/^Hook/, delivery]],
  [at["/checks"]]: [["New check"]],
  [at["/maintenance"]]: [["New window"]],
  [at["/services"]]: [["Hook"], ["Actions for Hook", "Delete…"]],
  [at["/operator/limits"]]: [["Example Shop"]],
  [at["/general"]]: [[signedOut]],
});

export const layer = '[role="dialog"], [role="menu"], [role="listbox"]';

/** Presses what has this name: in what is open, or on the page. */
async function press(page, name) {
  const open = page.locator('[role="dialog"], [role="menu"]');
  const within = (await open.count()) > 0 ? open.last() : page.getByRole("main");
  const named = { name, exact: true };
  await within.getByRole("button", named).or(within.getByRole("menuitem", named)).first().click();
}

/** Takes the steps to a layer. */
export async function openLayer(page, steps) {
  for (const step of steps) await (typeof step === "function" ? step(page) : press(page, step));
  await page.locator(layer).first().waitFor();
}

/** Escape closes what is open, from the top. */
export async function closeLayers(page) {
  const open = page.locator(layer);
  const discard = page.getByRole("button", { name: "Discard", exact: true });
  for (let left = await open.count(); left > 0; left = await open.count()) {
    if ((await discard.count()) > 0) await discard.click();
    else await page.keyboard.press("Escape");
    await page.waitForFunction(([layer, left]) => document.querySelectorAll(layer).length < left, [layer, left]);
  }
}

/** What the layers that are open are called. */
export const namesOf = (page) =>
  page.locator('[role="dialog"], [role="menu"]').evaluateAll((all) => all.map((e) => e.ariaLabel ?? document.getElementById(e.getAttribute("aria-labelledby")).lastChild.textContent));

/** Those that other journeys look at, since it takes two people or a second factor to see them. */
const elsewhere = ["Somebody saved this meanwhile", "Prove that it is you", "One more step", "Actions of *"];

/** How often each name of a layer is in the source; * stands for what is filled in, | for a choice. Layers whose whole name is filled in are left out. */
function namesInSource() {
  const root = new URL("../../ui/src/", import.meta.url);
  const layers = /<(?:Pop|Menu|Modal|DrawerPage|FormDialog|NameDialog)(?:\s[^]*?)??\s(?:label|title)=("[^"]*"|\{(?:[^{}\n]|\{[^{}\n]*\})*\})/g;
  const times = new Map();
  for (const file of readdirSync(root, { recursive: true, encoding: "utf8" }).filter((f) => /(?<!\.test)\.tsx$/.test(f)))
    for (const [, name] of readFileSync(new URL(file, root), "utf8").matchAll(layers)) {
      const words = [...name.matchAll(/(?<!className=)"([^"]+)"|`([^`]+)`/g)].map(([, plain, template]) => plain ?? template.replaceAll(/\$\{[^}]*\}/g, "*"));
      if (words.length > 0 && words.every((w) => /\p{L}/u.test(w))) times.set(words.join("|"), (times.get(words.join("|")) ?? 0) + 1);
    }
  return times;
}

const pattern = (written) => new RegExp(`^(${written.replaceAll(/[.?()]/g, "\\$&").replaceAll("*", ".+")})$`);

/**
 * The names of layers in the source that were not seen. Of those that are
 * filled in there must be as many as layers; the longest claim theirs first. Of
 * a choice one is enough.
 */
export function neverOpened(seen) {
  let left = [...seen];
  const names = [...namesInSource()].filter(([written]) => !elsewhere.includes(written)).sort(([a], [b]) => b.length - a.length);
  return names.flatMap(([written, times]) => {
    const isChoice = written.includes("|");
    const isFilledIn = written.includes("*") && !isChoice;
    const found = (isFilledIn ? left : [...seen]).filter((name) => pattern(written).test(name));
    if (!isChoice) left = left.filter((name) => !found.includes(name));
    return found.length < (isFilledIn ? times : 1) ? [written] : [];
  });
}
