// Checks and heartbeats in a real browser on the real binary. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessible } from "./axe.mjs";
import { setUp, startServer } from "./server.mjs";
import { visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

async function startEmpty() {
  const made = await startServer();
  await setUp(made);
  return made;
}

describe("checks", () => {
  onServer(startEmpty);

  test("a check and a heartbeat are made in one form, and a failure fires", async () => {
    const { context, page, problems } = await visit(browser, server);
    await page.goto("/checks");
    await page.getByText("Nothing is watched from outside yet.").waitFor();
    await page.getByRole("button", { name: "Watch a web address" }).click();
    const form = page.getByRole("dialog", { name: "New check" });
    await form.getByLabel("Name").fill("Itself");
    await form.getByLabel("Address").fill(`${server.base}/healthz`);
    await form.getByRole("button", { name: "Try it now" }).click();
    await form.getByText(/Up: 200 OK/).waitFor();
    await form.getByRole("button", { name: "Save check" }).click();
    await page.getByRole("row", { name: /Itself/ }).waitFor();

    await page.getByRole("button", { name: "New check" }).click();
    await form.getByLabel("Kind").selectOption("heartbeat");
    await form.getByLabel("Name").fill("Backup");
    await form.getByRole("button", { name: "Save check" }).click();
    const shown = page.getByRole("dialog", { name: "Call this address" });
    const url = /http\S+\/heartbeat\/\w+/.exec(await shown.innerText())[0];
    await shown.getByRole("button", { name: "Done" }).click();
    assert.equal((await fetch(`${url}/fail`)).status, 200);
    await page.reload();
    await page.getByRole("row", { name: /Backup.*Missed.*the job said that it failed/ }).waitFor();
    await accessible(page, "the checks");
    await page.goto("/alerts?state=firing");
    await page.getByText("Check: Backup").first().waitFor({ timeout: 60_000 });
    assert.deepEqual(problems, []);
    await context.close();
  });
});
