// A phone in the hand: reading and zooming charts with fingers, the threshold's
// grip, an alert at night. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { until, v1 } from "./server.mjs";
import { newSpace, phone, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** Puts fingers on the page, moves them and takes them away, as the screen would report it. */
async function fingers(page, steps, { hold = 0 } = {}) {
  const wire = await page.context().newCDPSession(page);
  const send = (type, points) => wire.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  await send("touchStart", steps[0]);
  if (hold) await page.waitForTimeout(hold); // a finger that rests: time is what is meant
  for (const points of steps.slice(1)) await send("touchMove", points);
  return { up: () => send("touchEnd", []) };
}

describe("on a phone", () => {
  onServer();

  const openChart = async (name) => {
    const id = await newSpace(server, name, { name: "Latency" });
    const made = await visit(browser, server, phone);
    await made.page.goto(`/spaces/${id}?from=-1h`);
    await made.page.getByRole("img", { name: /Latency, 1 stream.*now/ }).waitFor();
    const box = await made.page.locator(".u-over").boundingBox();
    return { ...made, id, at: (x, y = 0.5) => [box.x + box.width * x, box.y + box.height * y] };
  };

  test("two fingers that part zoom in, and together zoom out", async () => {
    const { page, at, problems } = await openChart("Pinch");
    await (await fingers(page, [[at(0.4), at(0.6)], [at(0.3), at(0.7)], [at(0.1), at(0.9)]])).up();
    await page.waitForURL(/from=\d{10}&to=\d{10}/);
    const span = () => {
      const q = new URL(page.url()).searchParams;
      return Number(q.get("to")) - Number(q.get("from"));
    };
    const zoomed = span();
    assert.ok(zoomed > 300 && zoomed < 2400, `zoomed to ${zoomed} s`);
    await page.getByRole("img", { name: /Latency/ }).waitFor();
    await (await fingers(page, [[at(0.1), at(0.9)], [at(0.3), at(0.7)], [at(0.4), at(0.6)]])).up();
    await until(() => span() > zoomed * 1.5);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a finger that rests reads the values, and slides along them", async () => {
    const { page, at, problems } = await openChart("Read");
    const readout = page.locator('[class*="readout"]').filter({ hasText: "shop.latency" });
    // A chart that is drawn anew under the finger is pressed again, as people do.
    let held;
    await until(async () => {
      await held?.up();
      held = await fingers(page, [[at(0.5)]], { hold: 400 });
      return readout.first().isVisible();
    });
    // Above the chart, where no finger hides it, and it stays there.
    const place = () => readout.first().boundingBox();
    const over = await page.locator(".u-over").boundingBox();
    const first = await place();
    assert.ok(first.y >= 0 && first.y + first.height <= over.y + 1, `the readout is at ${first.y}, ${first.height} high; the chart at ${over.y}`);
    const before = await readout.first().innerText();
    const moved = await fingers(page, [[at(0.5)], [at(0.3)]], { hold: 400 });
    await until(async () => (await readout.first().innerText()) !== before);
    const second = await place();
    assert.deepEqual([second.x, second.y], [first.x, first.y]);
    await moved.up();
    await held.up();
    await readout.first().waitFor({ state: "hidden" });
    assert.ok(!/from=\d{10}/.test(page.url()), "reading does not zoom");
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a finger that moves at once scrolls the page", async () => {
    const id = await newSpace(server, "Long", ...Array.from({ length: 6 }, (_, i) => ({ name: `Chart ${i}` })));
    const { page } = await visit(browser, server, phone);
    await page.goto(`/spaces/${id}?from=-1h`);
    await page.locator(".u-over").first().waitFor();
    const box = await page.locator(".u-over").first().boundingBox();
    const x = box.x + 100;
    const path = Array.from({ length: 12 }, (_, i) => [[x, box.y + box.height - 10 - i * 20]]);
    await (await fingers(page, path)).up();
    await until(() => page.evaluate(() => Math.max(scrollY, ...[...document.querySelectorAll("main, main *")].map((e) => e.scrollTop)) > 60));
    await page.close();
  });

  test("the grip of the threshold follows a finger", async () => {
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByLabel(/^Threshold/).first().fill("30");
    const grip = page.getByRole("slider", { name: "Threshold" });
    await until(async () => (await grip.getAttribute("aria-valuenow")) === "30");
    const box = await grip.boundingBox();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const held = await fingers(page, [[[x, y]], [[x, y - 10]], [[x, y - 40]]]);
    await until(async () => Number(await grip.getAttribute("aria-valuenow")) > 30);
    await held.up();
    const typed = page.getByRole("spinbutton", { name: /^Threshold/ });
    await until(async () => Number(await typed.inputValue()) > 30);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an alert of the list is moved aside: acknowledged, snoozed, and both taken back", async () => {
    const send = (value) => v1(server, "POST", "/measurements", { measurements: [{ name: "shop.swipe", value, tags: { host: "a" } }] });
    await send(1);
    const make = (name, threshold) => v1(server, "POST", "/alerts", { name, conditions: [{ type: "above", metric_name: "shop.swipe", threshold }] });
    const { id } = (await make("swipe.fires", 5)).body;
    await make("swipe.quiet", 5000);
    const { page, problems } = await visit(browser, server, phone);
    await page.goto("/alerts?q=swipe.");
    await until(async () => (await send(9)) && page.getByText(/Firing for/).isVisible(), () => "the alert does not fire", 60_000);
    const place = (name) => page.locator("[data-alert]").filter({ hasText: name });
    /** Moves what shows an alert by so much, and lets go. */
    const swipe = async (name, by) => {
      const box = await place(name).boundingBox();
      const [x, y] = [box.x + box.width * 0.5, box.y + box.height / 2];
      await (await fingers(page, [0, 0.2, 0.5, 0.8, 1].map((part) => [[x + by * part, y]]))).up();
    };
    const shown = (name, action) => place(name).locator("[data-swiped]").getByRole("button", { name: action });
    // The browser takes no tap for one that follows a swipe as fast as this does: it is pressed again, as people do.
    const press = (name, action, told) =>
      until(async () => {
        if (await shown(name, action).isVisible()) await shown(name, action).tap();
        return page.getByText(told).isVisible();
      });
    await swipe("swipe.fires", -40);
    assert.equal(await shown("swipe.fires", "Acknowledge").count(), 0, "a little is enough");
    await swipe("swipe.fires", -170);
    await shown("swipe.fires", "Acknowledge").waitFor();
    await swipe("swipe.fires", 170);
    await shown("swipe.fires", "Acknowledge").waitFor({ state: "hidden" });
    await swipe("swipe.fires", -170);
    const card = await place("swipe.fires").boundingBox();
    await page.touchscreen.tap(card.x + 60, card.y + card.height / 2); // closes, and leads nowhere
    await shown("swipe.fires", "Acknowledge").waitFor({ state: "hidden" });
    assert.match(page.url(), /\/alerts\?q=swipe\.$/);
    await swipe("swipe.fires", -170);
    await press("swipe.fires", "Acknowledge", /^Acknowledged by owner@example\.org, .*reminded/);
    await page.getByRole("button", { name: "Undo" }).tap();
    await until(async () => !(await v1(server, "GET", `/alerts/${id}/incidents`)).body.incidents[0].acknowledged_at, () => "it stays acknowledged");
    await swipe("swipe.quiet", -90);
    await press("swipe.quiet", "Snooze 1 h", /^swipe\.quiet is snoozed until /);
    await page.getByText(/^Snoozed until /).waitFor();
    await page.getByRole("button", { name: "Undo" }).tap();
    await page.getByText(/^Snoozed until /).waitFor({ state: "detached" });
    // The menu has both, too.
    await page.getByRole("button", { name: "Actions for swipe.fires" }).tap();
    await page.getByRole("menuitem", { name: "Snooze 1 hour" }).waitFor();
    await page.getByRole("menuitem", { name: "Acknowledge" }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an alert at night: resolve or snooze for an hour in the first screen", async () => {
    const night = (value) => v1(server, "POST", "/measurements", { measurements: [{ name: "shop.night", value, tags: { host: "a" } }] });
    await night(1);
    const { body } = await v1(server, "POST", "/alerts", { name: "night.shift", conditions: [{ type: "above", metric_name: "shop.night", threshold: 5 }] });
    const { page, problems } = await visit(browser, server, phone);
    await page.goto(`/alerts/${body.id}`);
    await until(
      async () => {
        await night(9);
        return page.getByText(/Firing for/).isVisible();
      },
      () => "the alert does not fire",
      60_000,
    );
    for (const name of ["Resolve", "Snooze 1 h"]) {
      const box = await page.getByRole("button", { name }).boundingBox();
      assert.ok(box.y + box.height < 844 - 64 && box.height >= 44, `${name} is at ${box.y}, ${box.height} high`);
    }
    await page.getByRole("button", { name: "Snooze 1 h" }).click();
    await page.getByText(/^Snoozed until (?:\w+ \d+ \w+ )?\d\d:\d\d by owner@example.org\. Nobody is notified\./).waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText(/Firing for/).waitFor();
    await page.goto("/alerts");
    await page.getByRole("link", { name: "night.shift" }).waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
