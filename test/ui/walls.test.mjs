// Playlists: made and changed, played on the wall by themselves and by keys, and
// behind a link. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { accessibleInBoth } from "./axe.mjs";
import { until, v1 } from "./server.mjs";
import { newSpace, phone, settled, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const noSideways = async (page) => assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "scrolls sideways");

/** A playlist of spaces that each have their turn for a while: its id. */
async function newPlaylist(context, name, ...turns) {
  const made = await context.request.post("/ui/api/playlists", { data: { name, spaces: turns.map((t) => ({ seconds: 600, range: "-1h", ...t })) } });
  assert.equal(made.status(), 201, await made.text());
  return (await made.json()).id;
}

const heading = (page, name) => page.getByRole("heading", { name, level: 1 });

describe("playlists", () => {
  onServer();

  test("one is made, changed and deleted", async () => {
    await newSpace(server, "Orders", { name: "Latency", streams: [{ metric: "shop.latency", tags: [{ name: "host", dynamic: true }] }] });
    await newSpace(server, "Refunds");
    const { page, problems } = await visit(browser, server);
    await page.goto("/spaces");
    await page.getByRole("button", { name: "Playlists" }).first().click();
    await page.getByText("No playlists yet.").waitFor();
    await accessibleInBoth(page, "no playlists");
    await page.getByRole("button", { name: "New playlist" }).click();
    await page.getByRole("button", { name: "Save playlist" }).click();
    await page.getByText("Name is missing.").waitFor();
    await page.getByLabel("Name").fill("Office");
    for (const name of ["Orders", "Refunds"]) {
      await page.getByLabel("Space", { exact: true }).selectOption({ label: name });
      await page.getByRole("button", { name: "Add space" }).click();
    }
    await page.getByLabel("Seconds of Orders").fill("3");
    await page.getByLabel("Time range of Orders").selectOption({ label: "Last hour" });
    await page.getByRole("button", { name: "Move Refunds up" }).click();
    await accessibleInBoth(page, "the editor");
    await page.getByRole("button", { name: "Save playlist" }).click();
    // A turn that is too short is said at its field, which has the focus then.
    await page.getByRole("alert").getByText("Must be 5 to 86400.").waitFor();
    assert.ok(await page.getByLabel("Seconds of Orders").evaluate((e) => e === document.activeElement && e.getAttribute("aria-invalid") === "true"));
    await page.getByLabel("Seconds of Orders").fill("30");
    await page.getByRole("button", { name: "Save playlist" }).click();
    await page.getByRole("row", { name: /Office.*2.*1 min/ }).waitFor();
    await accessibleInBoth(page, "the list");
    const [kept] = (await (await page.context().request.get("/ui/api/playlists")).json()).playlists;
    assert.deepEqual(kept.spaces.map((s) => [s.seconds, s.range]), [[30, "-6h"], [30, "-1h"]]);
    await page.getByRole("button", { name: "Actions for Office" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await page.getByRole("button", { name: "Remove Refunds" }).click();
    await page.getByLabel("Name").fill("Lobby");
    await page.getByRole("button", { name: "Save playlist" }).click();
    await page.getByRole("button", { name: "Actions for Lobby" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete playlist" }).click();
    await page.getByText("No playlists yet.").waitFor();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("it turns by itself and by keys, pauses, and goes past a space that was deleted", async () => {
    const first = await newSpace(server, "First", { name: "One" });
    const second = await newSpace(server, "Second", { name: "Two" });
    const third = await newSpace(server, "Third", { name: "Three" });
    const { page, context, problems } = await visit(browser, server);
    const id = await newPlaylist(context, "Turning", { space: first, seconds: 5 }, { space: second }, { space: third });
    await page.goto(`/playlists/${id}/play`);
    await heading(page, "First").waitFor();
    await page.getByText("Last hour").waitFor();
    await heading(page, "Second").waitFor(); // by itself
    await page.getByText("Turning, 2 of 3", { exact: true }).waitFor();
    await settled(page);
    await accessibleInBoth(page, "a playlist");
    await page.keyboard.press("ArrowRight");
    await heading(page, "Third").waitFor();
    await page.keyboard.press("ArrowRight"); // around the end
    await heading(page, "First").waitFor();
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const line = page.locator("[data-progress]");
    const over = () => line.evaluate((e) => e.getBoundingClientRect().width);
    await until(async () => (await over()) > 20, () => "the line stands still");
    assert.notEqual(await line.evaluate((e) => getComputedStyle(e).backgroundColor), "rgba(0, 0, 0, 0)");
    await page.keyboard.press(" ");
    await page.getByText("Turning, 1 of 3, paused").waitFor();
    const paused = await over();
    await page.waitForTimeout(300);
    assert.equal(await over(), paused);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).getByText("Space", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    await page.keyboard.press("ArrowLeft");
    await heading(page, "Third").waitFor();
    assert.equal(await page.getByText("Turning, 3 of 3, paused").count(), 1);
    await page.getByRole("button", { name: "Go on" }).focus();
    await page.keyboard.press(" "); // presses the button, once
    await page.getByText("Turning, 3 of 3", { exact: true }).waitFor();
    await v1(server, "DELETE", `/spaces/${second}`);
    await page.reload();
    await page.getByText("1 space of this playlist was deleted and is skipped.").waitFor();
    await heading(page, "First").waitFor();
    await page.keyboard.press("ArrowRight");
    await heading(page, "Third").waitFor();
    await page.keyboard.press("Escape");
    await page.waitForURL(/\/playlists$/);
    await page.getByRole("button", { name: "Actions for Turning" }).click();
    await page.getByRole("menuitem", { name: "Edit…" }).click();
    await page.getByText(`Space ${second}`, { exact: true }).waitFor();
    await page.getByText("was deleted and is skipped").waitFor();
    assert.deepEqual(problems.filter((p) => !p.includes("404")), []);
    await page.close();
  });

  test("a space that crashes keeps its turn and no more", async () => {
    const [sound, broken] = [await newSpace(server, "Whole", { name: "One" }), await newSpace(server, "Broken", { name: "Two" })];
    const { page, context } = await visit(browser, server);
    const id = await newPlaylist(context, "Going on", { space: broken, seconds: 5 }, { space: sound });
    await page.route(`**/ui/api/spaces/${broken}/layout`, (route) => route.fulfill({ json: { layout: [], default_tags: 5, annotations: [] } }));
    await page.goto(`/playlists/${id}/play`);
    await heading(page, "This space cannot be shown.").waitFor();
    await page.getByText("Going on, 1 of 2", { exact: true }).waitFor();
    await settled(page);
    await accessibleInBoth(page, "a space that crashed");
    await heading(page, "Whole").waitFor(); // by itself
    await page.keyboard.press("ArrowLeft");
    await heading(page, "This space cannot be shown.").waitFor();
    await context.close();
  });

  test("a link plays it without signing in, and a link to a space opens as a wall display", async () => {
    const first = await newSpace(server, "Public", { name: "One" });
    const second = await newSpace(server, "Open", { name: "Two" });
    const { page, context, problems } = await visit(browser, server);
    await newPlaylist(context, "Shown", { space: first }, { space: second });
    await page.goto("/playlists");
    await page.getByRole("button", { name: "Actions for Shown" }).click();
    await page.getByRole("menuitem", { name: "Share…" }).click();
    const dialog = page.getByRole("dialog", { name: /Share “Shown”/ });
    await dialog.getByLabel("Name").fill("Lobby");
    await dialog.getByRole("button", { name: "Make link" }).click();
    const url = await dialog.getByLabel("Share link").inputValue();
    assert.match(url, /\/s\/\w+\/wall$/);
    await accessibleInBoth(page, "sharing a playlist");
    const made = await (await context.request.post(`/ui/api/spaces/${first}/shares`, { data: { name: "one", expires_in: 3600 } })).json();
    const stranger = await browser.newContext({ baseURL: server.base });
    const wall = await stranger.newPage();
    await wall.goto(new URL(url).pathname);
    await heading(wall, "Public").waitFor();
    await wall.getByRole("img", { name: /One, \d stream/ }).waitFor();
    await wall.keyboard.press("ArrowRight");
    await heading(wall, "Open").waitFor();
    await wall.getByRole("img", { name: /Two, \d stream/ }).waitFor();
    await accessibleInBoth(wall, "a shared playlist");
    await wall.goto(`${new URL(made.url).pathname}/wall`);
    await heading(wall, "Public").waitFor();
    assert.equal(await wall.getByRole("button", { name: "Pause" }).count(), 0);
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await page.getByText("The link “Lobby” no longer opens.").waitFor();
    await wall.goto(new URL(url).pathname);
    await heading(wall, "This link no longer opens.").waitFor();
    await stranger.close();
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("on a phone list, editor and wall fit", async () => {
    const space = await newSpace(server, "A space with a name that is longer than a phone is wide", { name: "One" });
    const { page, context, problems } = await visit(browser, server, phone);
    const id = await newPlaylist(context, "Narrow", { space }, { space });
    for (const path of ["/spaces", "/playlists", `/playlists/${id}`, `/playlists/${id}/play`]) {
      await page.goto(path);
      await settled(page);
      for (const width of [390, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await until(async () => (await page.evaluate(() => window.innerWidth)) === width);
        await noSideways(page);
      }
      await accessibleInBoth(page, `${path} on a phone`);
    }
    assert.deepEqual(problems, []);
    await page.close();
  });
});
