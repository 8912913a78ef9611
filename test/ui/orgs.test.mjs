// Somebody who belongs to two organizations: each tab has its own, a link opens
// in its own, and addresses from before organizations were in them lead on.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openPage, owner, signIn, v1 } from "./server.mjs";
import { newSpace, now, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** A server on which the owner of Example Shop is also an Admin of Second team. */
async function startTwo() {
  const made = await startShop();
  made.cli(["org", "create", "Second team"]);
  made.second = { email: "second@example.org", password: "correct horse battery staple" };
  made.cli(["user", "create", made.second.email, "--org", "Second team", "--role", "admin"], made.second.password);
  made.cli(["user", "create", owner.email, "--org", "Second team", "--role", "admin"], owner.password);
  made.theirs = /tmk_\w+/.exec(made.cli(["token", "create", "all", "--org", "Second team", "--role", "admin"]))[0];
  return made;
}

describe("two organizations", () => {
  onServer(startTwo);
  let a, b, context, problems, own;
  before(async () => {
    own = await newSpace(server, "Ours", { name: "Latency" });
    await v1(server, "POST", "/measurements", { measurements: [{ name: "their.jobs", value: 1, time: now() }] }, server.theirs);
    ({ context, page: a, problems } = await visit(browser, server));
    b = await context.newPage();
  });
  after(() => context?.close());

  test("each tab keeps its own", async () => {
    await a.goto("/o/1/spaces");
    await b.goto("/o/2/spaces");
    await a.getByRole("button", { name: "Example Shop" }).waitFor();
    await b.getByRole("button", { name: "Second team" }).waitFor();
    // The older tab goes on in its own organization, whatever was opened since.
    await a.getByRole("button", { name: "New space" }).first().click();
    await a.getByRole("dialog").getByLabel("Name").fill("Made in tab A");
    await a.keyboard.press("Enter");
    await a.waitForURL(/\/o\/1\/spaces\/\d+$/);
    await b.getByRole("link", { name: "Metrics" }).click();
    await b.waitForURL(/\/o\/2\/metrics/);
    await b.getByRole("link", { name: /their\.jobs/ }).waitFor();
    assert.equal(await b.getByText("shop.latency").count(), 0);
    const names = async (token) => (await v1(server, "GET", "/spaces", undefined, token)).body.spaces.map((s) => s.name).sort();
    assert.deepEqual(await names(), ["Made in tab A", "Ours"]);
    assert.deepEqual(await names(server.theirs), []);
  });

  test("the switcher opens the other one", async () => {
    await b.goto("/o/2/explore");
    await b.getByRole("button", { name: "Second team" }).click();
    await b.getByRole("menuitemcheckbox", { name: "Example Shop" }).or(b.getByRole("menuitem", { name: "Example Shop" })).or(b.getByRole("menuitemradio", { name: "Example Shop" })).click();
    await b.waitForURL(/\/o\/1\//);
    await b.getByRole("button", { name: "Example Shop" }).waitFor();
    await b.goBack();
    await b.getByRole("button", { name: "Second team" }).waitFor();
  });

  test("addresses from before lead on: to where one was last, or where they say", async () => {
    await b.goto("/o/1/alerts");
    await b.getByRole("button", { name: "Example Shop" }).waitFor();
    await b.waitForLoadState("networkidle");
    await b.goto(`/spaces/${own}?from=-1h`);
    await b.waitForURL(`${server.base}/o/1/spaces/${own}?from=-1h`);
    await b.getByRole("heading", { name: "Ours" }).waitFor();
    const condition = [{ type: "above", threshold: 1, metric_name: "their.jobs" }];
    const alert = (await v1(server, "POST", "/alerts", { name: "their.alert", version: 2, conditions: condition }, server.theirs)).body;
    await b.goto(`/alerts/2/details/${alert.id}`);
    await b.waitForURL(`${server.base}/o/2/alerts/${alert.id}`);
    await b.getByRole("heading", { name: "their.alert" }).waitFor();
  });

  test("whoever is no member is told so, and where they are one", async () => {
    const them = await openPage(browser, server);
    await signIn(them.context, server.second);
    await them.page.goto(`/o/1/spaces/${own}`);
    await them.page.getByRole("heading", { name: "You are not a member of organization 1." }).waitFor();
    await them.page.getByText("second@example.org").waitFor();
    await them.page.getByRole("link", { name: "Switch to Second team" }).click();
    await them.page.waitForURL(/\/o\/2\//);
    await them.page.getByRole("button", { name: "Second team" }).waitFor();
    assert.deepEqual([...them.problems, ...problems], []);
    await them.context.close();
  });

  test("a short name stands in addresses; those with the number lead on to it", async () => {
    await b.goto("/o/2/settings/general");
    await b.getByLabel("Short name in addresses").fill("2nd");
    await b.getByRole("button", { name: "Save short name" }).click();
    await b.getByText(/must be 2 to 40 small letters, digits and hyphens, and begin with a letter/).first().waitFor();
    await b.getByLabel("Short name in addresses").fill("second");
    await b.getByRole("button", { name: "Save short name" }).click();
    await b.waitForURL(/\/o\/second\/settings/);
    await b.getByRole("link", { name: "Metrics", exact: true }).click();
    await b.waitForURL(/\/o\/second\/metrics/);
    await b.getByRole("link", { name: /their\.jobs/ }).waitFor();
    await b.goto("/o/2/alerts?q=x");
    await b.waitForURL(/\/o\/second\/alerts\?q=x/);
    await b.reload();
    await b.getByRole("button", { name: "Second team" }).waitFor();
    await a.goto("/o/1/settings/general");
    await a.getByLabel("Short name in addresses").fill("second");
    await a.getByRole("button", { name: "Save short name" }).click();
    await a.getByText("There is already one with this short name.").first().waitFor();
    const them = await openPage(browser, server);
    await signIn(them.context, server.second);
    await them.page.goto("/o/nowhere/spaces");
    await them.page.getByRole("heading", { name: "You are not a member of organization nowhere." }).waitFor();
    await them.context.close();
  });

  test("an operator makes one, gives it to somebody else and leaves it", async () => {
    await a.goto("/o/1/spaces");
    await a.getByRole("button", { name: "Example Shop" }).click();
    await a.getByRole("menuitem", { name: "New organization…" }).click();
    const dialog = a.getByRole("dialog", { name: "New organization" });
    const make = () => dialog.getByRole("button", { name: "Create organization" }).click();
    await make();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Name of the organization").fill("second TEAM");
    await make();
    await dialog.getByText("There is already one with this name.").waitFor();
    await dialog.getByLabel("Name of the organization").fill("Third team");
    await make();
    await a.waitForURL(/\/o\/3\//);
    await a.getByRole("button", { name: "Third team" }).waitFor();
    await a.goto("/o/3/settings/members");
    assert.ok(await a.getByRole("button", { name: "Leave" }).isDisabled(), "somebody has to manage it");
    server.cli(["user", "create", server.second.email, "--org", "Third team", "--role", "admin"], server.second.password);
    await a.reload();
    await a.getByRole("button", { name: "Leave" }).click();
    await a.getByRole("heading", { name: "Leave Third team?" }).waitFor();
    await a.getByText("You do not see it any more. An Admin can invite you again.").waitFor();
    await a.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await a.waitForURL(/\/o\/(1|second)\//);
    assert.equal((await a.request.get("/o/3/ui/api/org")).status(), 403);
    assert.deepEqual(problems, []);
  });

  test("who may only look leaves too, and cannot make one; without an organization nobody is signed in", async () => {
    const viewer = { email: "viewer@example.org", password: "correct horse battery staple" };
    server.cli(["user", "create", viewer.email, "--org", "Third team", "--role", "viewer"], viewer.password);
    const them = await openPage(browser, server);
    await signIn(them.context, viewer);
    await them.page.goto("/o/3/settings/members");
    await them.page.getByRole("button", { name: "Third team" }).click();
    await them.page.getByRole("menu").waitFor();
    assert.equal(await them.page.getByText("New organization…").count(), 0);
    await them.page.keyboard.press("Escape");
    assert.equal((await them.context.request.post("/ui/api/operator/orgs", { data: { name: "Mine" } })).status(), 404);
    await them.page.getByRole("row", { name: /viewer@example\.org/ }).getByRole("button", { name: "Leave" }).click();
    await them.page.getByText("You belong to no other organization and are signed out. An Admin can invite you again.").waitFor();
    await them.page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await them.page.waitForURL(/\/signin/);
    await them.page.getByLabel("E-mail").fill(viewer.email);
    await them.page.getByLabel("Password").fill(viewer.password);
    await them.page.getByRole("button", { name: "Sign in", exact: true }).click();
    await them.page.getByText("You belong to no organization. Ask an Admin to invite you.").waitFor();
    await them.context.close();
  });
});
