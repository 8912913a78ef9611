// Maintenance windows in a real browser on the real binary: made in the
// calendar, and respected by those who would notify. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { listenTo } from "./others.mjs";
import { until, v1 } from "./server.mjs";
import { phone, settled, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const windows = async () => (await v1(server, "GET", "/maintenance")).body.maintenance;

async function open(page, path = "/maintenance") {
  await page.goto(path);
  await page.getByRole("heading", { name: "Maintenance", level: 1 }).waitFor();
}

/** Adds a label to what a window covers. */
async function coverLabel(page, label, value) {
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const form = page.getByRole("dialog", { name: "Add what it covers" });
  await form.getByRole("button", { name: "Add" }).click();
  await form.getByText("Label is missing.").waitFor();
  await form.getByLabel("Label").fill(label);
  await form.getByLabel("Value").fill(value);
  await form.getByRole("button", { name: "Add" }).click();
}

describe("maintenance", () => {
  onServer(startShop);

  test("a window is dragged in the calendar, says what it would do, and is changed by keys", async () => {
    const condition = { type: "above", metric_name: "shop.latency", threshold: 5000 };
    for (const name of ["checkout.slow", "checkout.down"]) {
      const made = await v1(server, "POST", "/alerts", { name, labels: { team: "checkout" }, conditions: [condition] });
      assert.equal(made.status, 201, JSON.stringify(made.body));
    }
    const { page, problems } = await visit(browser, server);
    await open(page, "/maintenance?week=2027-02-01");
    await page.getByText("No maintenance this week.").waitFor();
    await page.getByText("Europe/Berlin").waitFor();
    await page.getByRole("heading", { name: "1 to 7 Feb 2027 week 5" }).waitFor();

    const day = await page.getByRole("cell").nth(5).boundingBox();
    const y = (hour) => day.y + (day.height * hour) / 24;
    await page.mouse.move(day.x + 30, y(8) + 2);
    await page.mouse.down();
    await page.mouse.move(day.x + 34, y(10), { steps: 4 });
    await page.mouse.move(day.x + 34, y(12), { steps: 4 });
    await page.mouse.up();
    const block = page.getByRole("button", { name: /^Saturday 6 February, 08:00 to 12:00, .*not saved$/ });
    await block.waitFor();
    const form = page.getByRole("complementary", { name: "New window" });
    await form.getByLabel("Name").fill("Load test");
    await coverLabel(page, "team", "nobody");
    await form.getByText("No alert matches. The window would do nothing.").waitFor();
    await form.getByRole("button", { name: "Remove team is nobody" }).click();
    await coverLabel(page, "team", "checkout");
    await form.getByText("2 alerts are covered.").waitFor();
    await form
      .getByText("checkout.down and checkout.slow stay silent. If one still fires at 12:00, it notifies then.")
      .waitFor();

    await block.focus();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: /^Saturday 6 February, 08:15 to 12:15/ }).focus();
    await page.keyboard.press("Shift+ArrowUp");
    await page.getByRole("button", { name: /^Saturday 6 February, 08:15 to 12:00/ }).waitFor();
    await accessible(page, "a window being made");
    await form.getByRole("button", { name: "Save window" }).click();
    await page.getByRole("button", { name: "Saturday 6 February, 08:15 to 12:00, Load test", exact: true }).waitFor();
    const [saved] = await windows();
    assert.equal(new Date(saved.starts_at * 1000).toISOString(), "2027-02-06T07:15:00.000Z");
    assert.deepEqual(saved.covers.labels, { team: "checkout" });

    // Its lower edge, two hours further down.
    const box = await page.getByRole("button", { name: /Load test/ }).boundingBox();
    await page.mouse.move(box.x + 30, box.y + box.height - 1);
    await page.mouse.down();
    await page.mouse.move(box.x + 30, y(13), { steps: 4 });
    await page.mouse.move(box.x + 30, y(14), { steps: 4 });
    await page.mouse.up();
    await page
      .getByRole("button", { name: "Saturday 6 February, 08:15 to 14:00, Load test, changed, not saved" })
      .waitFor();
    await page.getByRole("button", { name: "Save window" }).click();
    await page.getByRole("button", { name: "Saturday 6 February, 08:15 to 14:00, Load test", exact: true }).waitFor();
    await page.getByRole("button", { name: "Saturday 6 February, 08:15 to 14:00, Load test", exact: true }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page
      .getByRole("dialog", { name: "Delete Load test?" })
      .getByRole("button", { name: "Delete window" })
      .click();
    await page.getByText("No maintenance this week.").waitFor();
    assert.deepEqual(await windows(), []);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("of a window that repeats one time is moved, and later ones end", async () => {
    const made = await v1(server, "POST", "/maintenance", {
      name: "Nightly backup",
      starts_at: Date.UTC(2027, 1, 1) / 1000,
      covers: { all: true },
      repeat: {
        days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
        start_time: "02:00",
        end_time: "03:30",
        zone: "Europe/Berlin",
      },
    });
    assert.equal(made.status, 201);
    const { page, problems } = await visit(browser, server);
    await open(page, "/maintenance?week=2027-02-10");
    await page
      .getByRole("button", { name: /, 02:00 to 03:30, Nightly backup$/ })
      .nth(6)
      .waitFor();
    await page.getByRole("button", { name: /^Wednesday 10 February/ }).click();
    const form = page.getByRole("complementary", { name: "Change window" });
    await form.getByText("This covers every alert.").waitFor();
    assert.ok(await form.getByLabel("This one").isChecked());
    await form.getByLabel("Starts").fill("10 Feb 2027, 05:00");
    await form.getByLabel("Ends").fill("10 Feb 2027, 06:00");
    await form.getByRole("button", { name: "Save window" }).click();
    await page
      .getByRole("button", { name: "Wednesday 10 February, 05:00 to 06:00, Nightly backup", exact: true })
      .waitFor();
    assert.equal(await page.getByRole("button", { name: /Wednesday 10 February, 02:00/ }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /, 02:00 to 03:30, Nightly backup$/ }).count(), 6);

    await page.getByRole("button", { name: /^Friday 12 February/ }).click();
    await form.getByLabel("This and later").check();
    await form.getByText(/^Next: 12 Feb, 13 Feb, 14 Feb\.$/).waitFor();
    await form.getByText("On 28 Mar this window is 1 h shorter.").waitFor();
    await form.getByLabel("Repeats").selectOption({ label: "every 4 weeks on Friday" });
    await form.getByText(/^Next: 12 Feb, 12 Mar, 9 Apr\.$/).waitFor();
    await form.getByLabel("Repeats").selectOption({ label: "every day" });
    await form.getByLabel("Starts").fill("12 Feb 2027, 04:00");
    await form.getByLabel("Ends").fill("12 Feb 2027, 05:00");
    await form.getByRole("button", { name: "Save window" }).click();
    await page
      .getByRole("button", { name: /, 04:00 to 05:00, Nightly backup$/ })
      .nth(2)
      .waitFor();
    const [before, moved, after] = (await windows()).sort((a, b) => a.starts_at - b.starts_at);
    assert.equal(before.ends_at, Date.UTC(2027, 1, 12, 1) / 1000, "the old one ends where the new one begins");
    assert.deepEqual([before.repeat.skip, moved.repeat], [["2027-02-10"], null]);
    assert.deepEqual([after.starts_at, after.ends_at], [Date.UTC(2027, 1, 12, 3) / 1000, null]);

    await page.getByRole("button", { name: /^Saturday 13 February/ }).click();
    await form.getByLabel("This and later").check();
    await form.getByRole("button", { name: "Delete…" }).click();
    await page
      .getByRole("dialog", { name: "Delete Nightly backup from then on?" })
      .getByRole("button", { name: "Delete window" })
      .click();
    await page.getByRole("button", { name: /^Saturday 13 February/ }).waitFor({ state: "detached" });
    assert.equal(await page.getByRole("button", { name: /, 02:00 to 03:30, Nightly backup$/ }).count(), 3);
    assert.equal(await page.getByRole("button", { name: /, 04:00 to 05:00, Nightly backup$/ }).count(), 1);
    for (const w of await windows()) await v1(server, "DELETE", `/maintenance/${w.id}`);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("alerts are not evaluated in a window that says so", async () => {
    const measured = { measurements: [{ name: "shop.door", value: 1, tags: { host: "a" } }] };
    await v1(server, "POST", "/measurements", measured);
    const condition = { type: "above", metric_name: "shop.door", threshold: 5 };
    await v1(server, "POST", "/alerts", { name: "door.open", labels: { team: "door" }, conditions: [condition] });
    const { page, problems } = await visit(browser, server);
    await open(page, "/maintenance");
    await page.getByRole("button", { name: "New window" }).first().click();
    const form = page.getByRole("complementary", { name: "New window" });
    await form.getByLabel("Name").fill("Door repair");
    await form.getByLabel("Starts").fill("-5m");
    await form.getByLabel("Name").focus();
    await coverLabel(page, "team", "door");
    assert.ok(await form.getByLabel("Evaluate, but notify nobody").isChecked());
    await form.getByText(/^door\.open stays silent\./).waitFor();
    await form.getByLabel("Do not evaluate").check();
    await form.getByText(/^door\.open is not evaluated\. What fires before stays so/).waitFor();
    await accessible(page, "a window that suspends alerts");
    await form.getByRole("button", { name: "Save window" }).click();
    await form.waitFor({ state: "detached" });
    const [saved] = await windows();
    assert.equal(saved.suspends, true);
    await page.goto("/alerts");
    await page.getByText(/^Door repair is under way until .* 1 alert is not evaluated\.$/).waitFor();
    const blind = /in maintenance and not evaluated for \d+ minutes?$/;
    const strip = page.getByRole("row").filter({ hasText: "door.open" }).getByRole("img", { name: blind });
    await strip.first().waitFor();
    assert.equal(await strip.first().locator('i[data-kind="suspended"]').count(), 1);
    await page.getByRole("link", { name: "door.open" }).click();
    await page.getByText(blind).waitFor();
    await v1(server, "DELETE", `/maintenance/${saved.id}`);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("nobody is notified in a window made on a phone, and when it is ended everybody is", async (t) => {
    const received = [];
    const receiver = await listenTo(received);
    t.after(() => receiver.stop());
    const gate = (value) =>
      v1(server, "POST", "/measurements", { measurements: [{ name: "shop.gate", value, tags: { host: "a" } }] });
    await gate(1);
    const service = (
      await v1(server, "POST", "/services", { type: "webhook_json", title: "Gate", settings: { url: receiver.url } })
    ).body;
    const condition = { type: "above", metric_name: "shop.gate", threshold: 5 };
    const alert = (
      await v1(server, "POST", "/alerts", {
        name: "gate.open",
        labels: { team: "gate" },
        services: [service.id],
        conditions: [condition],
      })
    ).body;

    const { page, problems } = await visit(browser, server, phone);
    await open(page);
    await page.getByText("No maintenance is planned.").waitFor();
    await page.getByRole("button", { name: "New window" }).first().click();
    const form = page.getByRole("dialog", { name: "New window" });
    await form.getByLabel("Name").fill("Gate repair");
    await form.getByLabel("Starts").fill("-5m");
    await form.getByLabel("Name").focus();
    await coverLabel(page, "team", "gate");
    await form.getByText("1 alert is covered.").waitFor();
    await form.getByRole("button", { name: "Save window" }).click();
    const row = page.getByRole("button", { name: /Gate repair.*under way/ });
    await row.waitFor();
    await settled(page);

    const notes = async () => (await v1(server, "GET", `/alerts/${alert.id}/incidents`)).body.incidents[0]?.notes ?? [];
    await until(
      async () => (await gate(9)) && (await notes()).some((n) => n.kind === "maintenance"),
      () => "the incident does not say that it is in maintenance",
      60_000,
    );
    assert.deepEqual(received, [], "somebody is notified in a maintenance window");
    await row.click();
    await page.getByRole("dialog", { name: "Change window" }).getByRole("button", { name: "End now" }).click();
    await page.getByText("Gate repair is over.").waitFor();
    await until(
      async () => (await gate(9)) && received.length > 0,
      () => "nobody is notified after the window",
      60_000,
    );
    assert.equal(JSON.parse(received[0]).alert.name, "gate.open");
    assert.deepEqual(problems, []);
    await page.close();
  });
});
