// Times as the interface writes them, in the locales and zones of the world:
// what it puts into a field it must take from there again.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { v1 } from "./server.mjs";
import { newSpace, now, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const places = [
  ["en-US", "America/New_York"],
  ["en-GB", "Europe/London"],
  ["de-DE", "Europe/Berlin"],
  ["ja-JP", "Asia/Tokyo"],
  ["pt-BR", "America/Sao_Paulo"],
  ["ar-EG", "Africa/Cairo"],
  ["hi-IN", "Asia/Kolkata"],
];

const fields = (panel) => panel.getByRole("textbox").evaluateAll((all) => all.map((i) => i.getAttribute("aria-invalid")));
const search = (page) => new URL(page.url()).searchParams;

async function openPicker(page) {
  await page.keyboard.press("t");
  const panel = page.getByRole("dialog", { name: "Time range" });
  await panel.getByRole("textbox").first().waitFor();
  return panel;
}

/** Opened and applied, a range of fixed times stays what it is; the days of the calendar are taken. */
async function pickTimes(page, space) {
  const end = now() - 3 * 86_400;
  await page.goto(`/spaces/${space}?from=${end - 3_601}&to=${end}`);
  await settled(page);
  let panel = await openPicker(page);
  assert.deepEqual(await fields(panel), ["false", "false"]);
  await panel.getByRole("button", { name: "Apply" }).click();
  await panel.waitFor({ state: "detached" });
  assert.deepEqual([search(page).get("from"), search(page).get("to")], [`${end - 3_601}`, `${end}`]);

  panel = await openPicker(page);
  await panel.getByRole("button", { name: "Earlier month" }).click();
  const days = panel.locator("table").first().locator("td button");
  await days.nth(4).click();
  await days.nth(9).click();
  assert.deepEqual(await fields(panel), ["false", "false"]);
  await panel.getByRole("button", { name: "Apply" }).click();
  await panel.waitFor({ state: "detached" });
  const hours = (search(page).get("to") - search(page).get("from")) / 3600;
  assert.ok(Math.abs(hours - 6 * 24) <= 1.1, `six days, give or take the hour that the clock changes by: ${hours} h`);
}

/** What was typed relative to now stays so, and live. */
async function typeRelative(page) {
  const panel = await openPicker(page);
  const [from, to] = [panel.getByRole("textbox").first(), panel.getByRole("textbox").last()];
  await from.fill("-36h");
  await to.fill("now");
  await to.press("Enter");
  await panel.waitFor({ state: "detached" });
  assert.deepEqual([search(page).get("from"), search(page).get("to")], ["-36h", null]);
  await page.keyboard.press("t");
  assert.equal(await panel.getByRole("textbox").last().inputValue(), "now");
  await page.keyboard.press("Escape");
}

/** Alt and a press on a chart: the event is where was pressed, to the minute at the least. */
async function annotate(page, space, stream) {
  await page.goto(`/spaces/${space}?from=-1h`);
  await settled(page);
  await page.getByRole("img", { name: /Latency/ }).first().click({ modifiers: ["Alt"], position: { x: 200, y: 60 } });
  const dialog = page.getByRole("dialog", { name: "What happened?" });
  await dialog.getByLabel("Title").fill("deployed");
  await dialog.getByLabel("Stream").fill(stream);
  const time = dialog.getByLabel("Time");
  const written = await time.inputValue();
  await time.fill("-5h");
  await time.fill(written); // typed by hand, as it was written
  await dialog.getByRole("button", { name: "Add annotation" }).click();
  await dialog.waitFor({ state: "detached" });
  const { events } = (await v1(server, "GET", `/annotations/${stream}?start_time=${now() - 7_200}`)).body;
  const at = Object.values(events).flat()[0].start_time;
  assert.ok(at > now() - 3_700 && at <= now(), `within the hour: ${now() - at} s ago`);
}

describe("times in every locale", () => {
  onServer();
  for (const [locale, timezoneId] of places)
    test(`${locale} in ${timezoneId}`, async () => {
      const space = await newSpace(server, `Times in ${locale}`, { name: "Latency" });
      const { page, problems } = await visit(browser, server, { locale, timezoneId });
      try {
        await pickTimes(page, space);
        await typeRelative(page);
        await annotate(page, space, `deploys-${locale}`);
        assert.deepEqual(problems, []);
      } finally {
        await page.close();
      }
    });
});
