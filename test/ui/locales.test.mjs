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
const shown = (page) => [Number(search(page).get("from")), Number(search(page).get("to"))];

async function openPicker(page) {
  await page.keyboard.press("t");
  const panel = page.getByRole("dialog", { name: "Time range" });
  await panel.getByRole("textbox").first().waitFor();
  return panel;
}

async function apply(panel) {
  assert.deepEqual(await fields(panel), ["false", "false"]);
  await panel.getByRole("button", { name: "Apply" }).click();
  await panel.waitFor({ state: "detached" });
}

/** Opened and applied, a range of fixed times stays what it is; the days of the calendar are taken. */
async function pickTimes(page, space) {
  const end = now() - 3 * 86_400;
  await page.goto(`/spaces/${space}?from=${end - 3_601}&to=${end}`);
  await settled(page);
  await apply(await openPicker(page));
  assert.deepEqual(shown(page), [end - 3_601, end]);

  const panel = await openPicker(page);
  await panel.getByRole("button", { name: "Earlier month" }).click();
  const days = panel.locator("table").first().locator("td button");
  await days.nth(4).click();
  await days.nth(9).click();
  await apply(panel);
  const [from, to] = shown(page);
  const hours = (to - from) / 3600;
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

// Days on which the clock changes: a range on it, the day of the month, when the
// day begins and how many hours it has.
const changes = [
  ["en-US", "America/New_York", [
    ["2025-11-02T05:15Z", "2025-11-02T06:30Z", 2, "2025-11-02T04:00Z", 25], // to the second 01:30
  ]],
  ["de-DE", "Europe/Berlin", [
    ["2025-10-26T00:30Z", "2025-10-26T01:30Z", 26, "2025-10-25T22:00Z", 25], // both read 02:30
    ["2025-03-30T00:30Z", "2025-03-30T01:30Z", 30, "2025-03-29T23:00Z", 23],
  ]],
  ["ar-EG", "Africa/Cairo", [
    ["2025-04-24T21:30Z", "2025-04-24T22:30Z", 25, "2025-04-24T22:00Z", 23], // there is no midnight
    ["2025-10-30T20:30Z", "2025-10-30T21:30Z", 30, "2025-10-29T21:00Z", 25], // both read 23:30
    ["2025-10-30T21:30Z", "2025-10-30T22:30Z", 31, "2025-10-30T22:00Z", 24],
  ]],
  ["en-AU", "Australia/Lord_Howe", [
    ["2025-04-05T14:45Z", "2025-04-05T15:15Z", 6, "2025-04-05T13:00Z", 24.5], // both read 01:45
    ["2025-10-04T15:00Z", "2025-10-04T16:00Z", 5, "2025-10-04T13:30Z", 23.5],
  ]],
];

const seconds = (iso) => Date.parse(iso) / 1000;

/** A range stays what it is also in an hour that comes twice, and a day of the calendar is all of it. */
async function pickChange(page, space, [from, to, day, begins, hours]) {
  const range = [from, to].map(seconds);
  await page.goto(`/spaces/${space}?from=${range[0]}&to=${range[1]}`);
  await settled(page);
  await apply(await openPicker(page));
  assert.deepEqual(shown(page), range, `from ${from} to ${to}`);

  const panel = await openPicker(page);
  await panel.locator("table").last().locator("td button").nth(day - 1).click();
  await apply(panel);
  const [start, end] = shown(page);
  assert.equal(start, seconds(begins), `the day that begins ${begins}`);
  assert.equal(end + 60 - start, hours * 3600, `all of the day that begins ${begins}: ${(end + 60 - start) / 3600} h`);
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

  for (const [locale, timezoneId, days] of changes)
    test(`days when the clock changes, ${locale} in ${timezoneId}`, async () => {
      const space = await newSpace(server, `Changes in ${locale}`, { name: "Latency" });
      const { page, problems } = await visit(browser, server, { locale, timezoneId });
      try {
        for (const day of days) await pickChange(page, space, day);
        assert.deepEqual(problems, []);
      } finally {
        await page.close();
      }
    });
});
