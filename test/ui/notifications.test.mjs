// Notifications on one's own devices: turned on in a browser, sent through a
// push service of the journey's own, read as the browser reads them, shown by
// the service worker, acknowledged from there. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { launchWhole, newContext, openWindow, signIn, until, v1 } from "./server.mjs";
import { phone, startShop } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** A push service: what arrived, by path, and what it answers. */
async function pushService() {
  const got = [];
  const answers = { code: 201 };
  const s = createServer((req, res) => {
    const parts = [];
    req.on("data", (d) => parts.push(d));
    req.on("end", () => {
      got.push({ path: req.url, headers: req.headers, body: Buffer.concat(parts) });
      res.writeHead(answers.code).end();
    });
  });
  await new Promise((done) => s.listen(0, "127.0.0.1", done));
  s.unref();
  return { url: `http://127.0.0.1:${s.address().port}`, got, answers, stop: () => s.close() };
}

/** The keys of a subscription, and how its browser reads what it is sent (RFC 8291). */
function subscriber() {
  const own = createECDH("prime256v1");
  own.generateKeys();
  const auth = randomBytes(16);
  const derive = (secret, salt, info, length) => Buffer.from(hkdfSync("sha256", secret, salt, info, length));
  return {
    keys: { p256dh: own.getPublicKey().toString("base64url"), auth: auth.toString("base64url") },
    read(body) {
      const salt = body.subarray(0, 16);
      const sender = body.subarray(21, 86);
      const info = Buffer.concat([Buffer.from("WebPush: info\0"), own.getPublicKey(), sender]);
      const secret = derive(own.computeSecret(sender), auth, info, 32);
      const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
      const open = createDecipheriv("aes-128-gcm", key, derive(secret, salt, "Content-Encoding: nonce\0", 12));
      open.setAuthTag(body.subarray(-16));
      const plain = Buffer.concat([open.update(body.subarray(86, -16)), open.final()]);
      assert.equal(plain.at(-1), 2, "the end of the last record");
      return JSON.parse(plain.subarray(0, -1));
    },
  };
}

/** A browser of the owner that is subscribed at a push service of ours: a headless one reaches none of its maker's. */
async function subscribed(push, path, options) {
  const who = subscriber();
  const context = await newContext(browser, server, options);
  await context.grantPermissions(["notifications"], { origin: server.base });
  await context.addInitScript(
    ({ endpoint, keys }) => {
      const made = {
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        unsubscribe: async () => {
          localStorage.removeItem("subscribed");
          return true;
        },
      };
      PushManager.prototype.subscribe = async (how) => {
        localStorage.setItem("subscribed", how.applicationServerKey);
        return made;
      };
      PushManager.prototype.getSubscription = async () => (localStorage.getItem("subscribed") ? made : null);
    },
    { endpoint: `${push.url}/${path}`, keys: who.keys },
  );
  await signIn(context);
  return { ...(await openWindow(context, server)), who };
}

const turnOn = async (page) => {
  await page.goto("/settings/notifications");
  await page.getByRole("button", { name: "Turn on notifications" }).click();
  await page.getByText("You are notified on this device now.").waitFor();
};

/** An alert of a metric, and how to have it fire and clear. */
async function alertOn(name, severity, labels = {}) {
  const gate = (value) => v1(server, "POST", "/measurements", { measurements: [{ name, value, tags: { host: "a" } }] });
  await gate(1);
  const { body, status } = await v1(server, "POST", "/alerts", { name, severity, labels, conditions: [{ type: "above", metric_name: name, threshold: 5 }] });
  assert.equal(status, 201, JSON.stringify(body));
  return { id: body.id, gate };
}

describe("notifications on one's devices", () => {
  onServer(() => startShop({ TIDEMARK_PUBLIC_URL: (base) => base }), launchWhole);

  test("turned on by a click, sent encrypted when an alert fires, shown and acknowledged by the worker", async () => {
    const push = await pushService();
    const { context, page, problems, who } = await subscribed(push, "laptop");
    await page.goto("/settings/notifications");
    await page.getByText("Your browser asks once more.").waitFor();
    assert.equal(context.serviceWorkers().length, 0, "nothing before the click");
    await turnOn(page);
    await page.getByText("this one", { exact: true }).waitFor();
    await accessible(page, "one's devices");

    const { id, gate } = await alertOn("shop.bell", "critical");
    await until(async () => (await gate(9)) && push.got.length > 0, () => "nobody is notified", 60_000);
    const [sent] = push.got;
    assert.equal(sent.path, "/laptop");
    assert.equal(sent.headers["content-encoding"], "aes128gcm");
    assert.equal(sent.headers.urgency, "high");
    const key = await page.evaluate(() => localStorage.getItem("subscribed"));
    assert.match(sent.headers.authorization, new RegExp(`^vapid t=[^,]+, k=${key}$`));
    const said = who.read(sent.body);
    assert.equal(said.title, "shop.bell fired");
    assert.match(said.body, /^shop\.bell above 5.*\nhost=a: shop\.bell 9, above 5/);
    const [incident] = (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents;
    assert.equal(said.path, `o/1/alerts/${id}?incident=${incident.id}`);
    assert.match(said.acknowledge, new RegExp(`^${server.base}/acknowledge/`));

    // The worker is handed what the push service was: it shows it.
    const worker = context.serviceWorkers()[0];
    const shown = () => worker.evaluate(async () => (await self.registration.getNotifications()).map((n) => ({ title: n.title, body: n.body })));
    await worker.evaluate((text) => {
      self.dispatchEvent(new PushEvent("push", { data: text }));
    }, JSON.stringify(said));
    await until(async () => (await shown()).length === 1, () => "nothing is shown");
    assert.deepEqual(await shown(), [{ title: said.title, body: said.body }]);

    // Opening it leads to the incident, in the page that is there.
    const click = (action) => worker.evaluate(async (action) => {
      const [notification] = await self.registration.getNotifications();
      self.dispatchEvent(new NotificationEvent("notificationclick", { notification, action }));
    }, action);
    await click("acknowledge");
    await until(async () => (await shown())[0]?.title === "Acknowledged", () => "it is not acknowledged");
    const notes = (await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents[0].notes;
    assert.deepEqual(notes.map((n) => [n.kind, n.by]), [["acknowledged", "user:owner@example.org"]]);

    // The next one is snoozed, which a click of someone who is signed out only leads to.
    const snoozed = async () => (await v1(server, "GET", `/alerts/${id}/snooze`)).body.snoozes;
    const again = async () => {
      await worker.evaluate((text) => {
        self.dispatchEvent(new PushEvent("push", { data: text }));
      }, JSON.stringify(said));
      await until(async () => (await shown())[0]?.title === said.title, () => "nothing is shown");
      await click("snooze");
    };
    assert.equal(said.snooze, `o/1/v1/alerts/${id}/snooze`);
    await again();
    await until(async () => (await shown())[0]?.title === "Snoozed for an hour", () => "it is not snoozed");
    const [snooze] = await snoozed();
    assert.equal(snooze.by, "user:owner@example.org");
    assert.equal(snooze.until - snooze.starts_at, 3600);
    await v1(server, "DELETE", `/alerts/${id}/snooze`);
    const cookies = await context.cookies();
    await context.clearCookies();
    await again();
    await page.waitForURL(/\/signin/);
    assert.deepEqual(await snoozed(), []);
    // What was clicked is gone first: a browser at its limit may close what comes next under the same tag.
    await until(async () => (await shown()).length === 0, () => "what was clicked is still shown");
    await context.addCookies(cookies);
    await worker.evaluate((text) => {
      self.dispatchEvent(new PushEvent("push", { data: text }));
    }, JSON.stringify(said));
    await until(async () => (await shown())[0]?.title === said.title, () => "nothing is shown");
    await click("");
    await page.waitForURL(new RegExp(`/o/1/alerts/${id}\\?incident=${incident.id}$`));
    await page.getByRole("heading", { name: "shop.bell", level: 1 }).waitFor();
    assert.deepEqual(problems, []);
    push.stop();
    await context.close();
  });

  test("of critical alerts only, and again when they clear; a test; removed", async () => {
    const push = await pushService();
    const { context, page, problems, who } = await subscribed(push, "phone", phone);
    await page.goto("/settings/notifications");
    const here = page.getByRole("region", { name: "This device" });
    await here.getByLabel("Alerts", { exact: true }).selectOption({ label: "Critical only" });
    await here.getByLabel("Also when they clear").check();
    await page.getByRole("button", { name: "Turn on notifications" }).click();
    const row = page.getByRole("group", { name: /on (Linux|Android)/ }).filter({ hasText: "this one" });
    await row.waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(wide, false, "it fits on a phone");
    await row.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/^A test is on its way to/).waitFor();
    assert.equal(who.read(push.got.at(-1).body).title, "[Test] example.latency.high fired");

    const quiet = await alertOn("shop.quiet", "warning");
    const loud = await alertOn("shop.loud", "critical");
    const sentOf = () => push.got.filter((g) => g.path === "/phone").map((g) => who.read(g.body).title);
    await until(async () => (await loud.gate(9)) && (await quiet.gate(9)) && sentOf().includes("shop.loud fired"), () => "nobody is notified", 60_000);
    await until(async () => (await v1(server, "GET", `/alerts/${quiet.id}/status`)).body.status === "triggered", () => "it does not fire", 60_000);
    await until(async () => (await loud.gate(1)) && sentOf().includes("shop.loud cleared"), () => "nobody hears of the end", 60_000);
    assert.ok(!sentOf().some((t) => t.startsWith("shop.quiet")), "not of a warning");

    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Turn on notifications" }).waitFor();
    assert.deepEqual(problems, []);
    push.stop();
    await context.close();
  });

  test("offered on a phone; in quiet hours of critical alerts only, and of those with a label; deliveries say whose device it was", async () => {
    const push = await pushService();
    const { context, page, problems, who } = await subscribed(push, "night", phone);
    await context.clearPermissions();
    await context.addInitScript(() => {
      Object.defineProperty(Notification, "permission", { get: () => localStorage.getItem("subscribed") ? "granted" : "default" });
      Notification.requestPermission = async () => "granted";
    });
    const warning = await alertOn("shop.dozing", "warning", { team: "night" });
    await page.goto("/alerts");
    const offer = page.getByRole("region", { name: "Be notified on this phone?" });
    await offer.getByRole("img", { name: /^A notification: .* fired\./ }).waitFor();
    await offer.getByRole("button", { name: "Not now" }).click();
    await offer.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("heading", { name: "Alerts", level: 1 }).waitFor();
    assert.equal(await offer.count(), 0, "not asked again so soon");
    await page.evaluate(() => localStorage.removeItem("tidemark.not-notified"));
    await page.reload();
    await offer.waitFor();
    await accessible(page, "alerts with the offer");
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    assert.equal(await wide(), false, "the offer fits on a phone");

    // Quiet from an hour ago to in an hour, whatever the time is.
    const half = (minutes) => {
      const at = new Date(Date.now() + minutes * 60_000);
      return `${String(at.getHours()).padStart(2, "0")}:${at.getMinutes() < 30 ? "00" : "30"}`;
    };
    await offer.getByLabel("Quiet hours").check();
    await offer.getByLabel("From").selectOption(await page.evaluate(half.toString().replace(/^/, "(") + ")(-60)"));
    await offer.getByLabel("To").selectOption(await page.evaluate(half.toString().replace(/^/, "(") + ")(90)"));
    await offer.getByLabel("Only with labels").fill("team=night");
    await offer.getByLabel("Only with labels").press("Enter");
    await offer.getByRole("button", { name: "Turn on notifications" }).click();
    await page.getByText("You are notified on this device now.").waitFor();
    await offer.waitFor({ state: "detached" });
    await page.goto("/settings/notifications");
    const row = page.getByRole("group").filter({ hasText: "this one" });
    await row.getByText("team=night").waitFor();
    await accessible(page, "a device with quiet hours");
    assert.equal(await wide(), false, "it fits on a phone");

    const other = await alertOn("shop.others", "critical", { team: "day" });
    const critical = await alertOn("shop.burning", "critical", { team: "night" });
    const sentOf = () => push.got.map((g) => who.read(g.body).title);
    const fires = async ({ id }) => (await v1(server, "GET", `/alerts/${id}/status`)).body.status === "triggered";
    const all = [warning, other, critical];
    await until(
      async () => (await Promise.all(all.map((a) => a.gate(9)))) && (await Promise.all(all.map(fires))).every(Boolean) && sentOf().length > 0,
      () => "nobody is notified",
      60_000,
    );
    assert.deepEqual(sentOf(), ["shop.burning fired"]);
    await page.goto(`/alerts/${critical.id}`);
    await page.getByText(/^owner@example\.org, .* on (Linux|Android)$/).first().waitFor();

    // They end as they began.
    await page.goto("/settings/notifications");
    await row.getByLabel("Quiet hours").click();
    await until(
      async () => (await page.evaluate(() => fetch("/ui/api/devices", { headers: { "X-Tidemark-Org": "1" } }).then((r) => r.text()))).includes('"quiet":null'),
      () => "the hours are still there",
    );
    assert.deepEqual(problems, []);
    push.stop();
    await context.close();
  });

  test("a subscription that its browser ended is forgotten, and who signs out is not notified there", async () => {
    const push = await pushService();
    const { context, page, problems } = await subscribed(push, "gone");
    await turnOn(page);
    const row = page.getByRole("group").filter({ hasText: "this one" });
    push.answers.code = 410;
    await row.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/could not be notified: 410 Gone/).waitFor();
    await page.getByRole("button", { name: "Turn on notifications" }).waitFor();

    push.answers.code = 201;
    await turnOn(page);
    await page.getByRole("button", { name: /owner@example\.org/ }).first().click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL(/\/signin/);
    assert.equal(await page.evaluate(() => localStorage.getItem("subscribed")), null);
    assert.deepEqual(problems, []);
    push.stop();
    await context.close();
  });

  test("the pages can be installed as an app", async () => {
    const context = await newContext(browser, server);
    await signIn(context);
    const page = await context.newPage();
    await page.goto("/o/1/spaces");
    await page.getByRole("heading", { name: "Spaces" }).waitFor();
    const wire = await context.newCDPSession(page);
    const { installabilityErrors: errors } = await wire.send("Page.getInstallabilityErrors");
    // A window of a journey keeps nothing, so that nothing can be installed from it.
    assert.deepEqual(errors.map((e) => e.errorId).filter((id) => id !== "in-incognito"), []);
    const { url, errors: wrong } = await wire.send("Page.getAppManifest");
    assert.deepEqual([new URL(url).pathname, wrong], ["/manifest.webmanifest", []]);
    await context.close();
  });
});
