// Who looks after the server: the limits of every organization, what they ask
// for, and that nobody else finds any of it. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { openPage, signIn, v1 } from "./server.mjs";
import { phone, startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

const admin = { email: "second@example.org", password: "correct horse battery staple" };

/** A server whose owner is the operator, with a second organization that has used up its spaces. */
async function startTwo() {
  const made = await startShop();
  made.cli(["org", "create", "Second team"]);
  made.cli(["user", "create", admin.email, "--org", "Second team", "--role", "admin"], admin.password);
  made.theirs = /tmk_\w+/.exec(made.cli(["token", "create", "all", "--org", "Second team", "--role", "admin"]))[0];
  made.cli(["org", "limits", "Second team", "spaces=2"]);
  for (const name of ["Plans", "More plans"]) await v1(made, "POST", "/spaces", { name }, made.theirs);
  return made;
}

const newSpace = (name) => v1(server, "POST", "/spaces", { name }, server.theirs);

describe("operators", () => {
  onServer(startTwo);

  test("an Admin asks for more, the operator accepts, and both see what became of it", async () => {
    assert.equal((await newSpace("Third")).status, 403);
    const them = await openPage(browser, server);
    await signIn(them.context, admin);
    await them.page.goto("/o/2/settings/usage");
    await them.page.getByRole("button", { name: "Ask the operator for more…" }).click();
    const asking = them.page.getByRole("dialog", { name: "Ask the operator for more" });
    assert.equal(await asking.getByLabel("Of what").inputValue(), "spaces", "what is used up comes first");
    await asking.getByLabel("How many").fill("some");
    await asking.getByRole("button", { name: "Send request" }).click();
    await asking.getByText("How many must be a whole number, such as 5000.").waitFor();
    await asking.getByLabel("How many").fill("2");
    await asking.getByRole("button", { name: "Send request" }).click();
    await asking.getByText(/must be more than 2/).waitFor();
    await asking.getByLabel("How many").fill("10");
    await asking.getByLabel("What for (optional)").fill("a launch");
    await asking.getByRole("button", { name: "Send request" }).click();
    await asking.waitFor({ state: "detached" });
    await them.page.getByText(/^10 spaces, asked for on .* by second@example\.org: waiting for the operator\.$/).waitFor();

    const { context, page, problems } = await visit(browser, server);
    await page.goto("/o/1/spaces");
    await page.getByRole("button", { name: "owner@example.org" }).click();
    await page.getByRole("menuitem", { name: "Operator: limits" }).click();
    await page.waitForURL(`${server.base}/operator/limits`);
    await page.getByRole("heading", { name: "Limits", level: 1 }).waitFor();
    await page.getByText("2 organizations on this server.").waitFor();
    await page.getByText("asks for 10 spaces. It uses 2 of 2.").waitFor();
    await page.getByText("a launch").waitFor();
    assert.deepEqual(await page.getByRole("row").filter({ has: page.getByRole("button") }).getByRole("button").allInnerTexts(), ["Second team", "Example Shop"]);
    assert.equal(await page.getByText("Plans").count(), 0, "names of their things are not shown");
    await page.getByRole("button", { name: "Answer Second team, Spaces" }).click();
    const answer = page.getByRole("dialog", { name: "Spaces of Second team" });
    await answer.getByLabel("Allow").fill("3");
    await answer.getByLabel("Answer (optional)").fill("for now");
    await answer.getByRole("button", { name: "Accept" }).click();
    await answer.waitFor({ state: "detached" });
    await page.getByText("asks for 10 spaces").waitFor({ state: "detached" });
    assert.equal((await newSpace("Third")).status, 201);
    assert.equal((await newSpace("Fourth")).status, 403);

    await them.page.reload();
    await them.page.getByText(/: 3 are allowed\. “for now”$/).waitFor();
    assert.deepEqual([...them.problems, ...problems], []);
    await context.close();
    await them.context.close();
  });

  test("limits are set, refused, and given back to the server", async () => {
    const { context, page, problems } = await visit(browser, server);
    await page.goto("/operator/limits");
    await page.getByRole("searchbox", { name: "Search organizations" }).fill("second");
    await page.getByRole("button", { name: "Example Shop", exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Second team", exact: true }).click();
    await page.waitForURL(/org=2/);
    const drawer = page.getByRole("dialog", { name: "Second team" });
    const save = drawer.getByRole("button", { name: "Save limits" });
    assert.ok(await save.isDisabled(), "nothing is changed yet");
    await drawer.getByLabel("API tokens").fill("1.5");
    await drawer.getByLabel("Alerts", { exact: true }).focus();
    await drawer.getByText("API tokens must be a whole number, such as 5000.").waitFor();
    await drawer.getByLabel("API tokens").fill("40");
    await drawer.getByLabel("Spaces", { exact: true }).fill("");
    await save.click();
    await drawer.waitFor({ state: "detached" });
    assert.equal((await newSpace("Fifth")).status, 201, "the server's value holds again");
    const listed = server.cli(["org", "limits", "Second team"]);
    assert.match(listed, /tokens +1 +40 \*/);
    assert.match(listed, /spaces +\d+ +1000 +1000/);
    await page.getByText("The server’s values").click();
    await page.getByRole("row", { name: /^Streams 1,000,000 limits\.streams / }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("nobody else finds it, and it is gone with being one", async () => {
    const them = await openPage(browser, server);
    await signIn(them.context, admin);
    await them.page.goto("/operator/limits");
    await them.page.getByRole("heading", { name: "There is no such page." }).waitFor();
    assert.equal((await them.context.request.get("/ui/api/operator/limits")).status(), 404);
    server.cli(["user", "operator", admin.email]);
    await them.page.reload();
    await them.page.getByRole("heading", { name: "Limits", level: 1 }).waitFor();
    await them.page.getByRole("link", { name: "Second team" }).click();
    await them.page.waitForURL(/\/o\/2\//);
    server.cli(["user", "operator", admin.email, "--revoke"]);
    assert.equal((await them.context.request.get("/ui/api/operator/limits")).status(), 404);
    await them.context.close();
  });

  test("on a phone", async () => {
    const { context, page, problems } = await visit(browser, server, phone);
    await page.goto("/operator/limits");
    await page.getByRole("button", { name: "Second team", exact: true }).click();
    const drawer = page.getByRole("dialog", { name: "Second team" });
    await drawer.getByLabel("Alerts", { exact: true }).fill("7");
    await drawer.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    await drawer.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.getByRole("link", { name: "Back to your organization" }).click();
    await page.waitForURL(/\/o\/1\//);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the operator looks at the machines; nobody else finds them", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/o/1/spaces");
    await page.getByRole("button", { name: "owner@example.org" }).click();
    await page.getByRole("menuitem", { name: "Operator: machines" }).click();
    await page.waitForURL(`${server.base}/operator/machines`);
    await page.getByRole("heading", { name: "Machines", level: 1 }).waitFor();
    await page.getByText("1 machine, 2 organizations.").waitFor();
    const row = page.getByRole("row").filter({ hasText: server.base });
    await row.getByText("Answers").waitFor();
    await page.getByText(/^One machine\. Servers that share/).waitFor();
    await page.getByRole("heading", { name: /^Behind/ }).waitFor();
    await page.getByRole("img", { name: "How late alerts are evaluated" }).waitFor();
    await page.getByText("Queries, p95").first().waitFor();
    const near = page.getByRole("row").filter({ hasText: "Second team" });
    await near.getByRole("link", { name: "Second team" }).click();
    await page.waitForURL(`${server.base}/operator/limits?org=2`);
    assert.deepEqual(problems, []);

    const them = await openPage(browser, server);
    await signIn(them.context, admin);
    await them.page.goto("/operator/machines");
    await them.page.getByText("There is no such page.").waitFor();
  });
});
