// Tokens, sending, services, alerts and annotations, in a real browser on the
// real binary. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { launch, openPage, owner, setUp, signIn, startServer, until, v1 } from "./server.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

const now = () => Math.floor(Date.now() / 1000);
const send = (server, token, name, value, tags = { host: "web-01" }) =>
  v1(server, "POST", "/measurements", { tags, measurements: [{ name, value }] }, token);

describe("the first run", () => {
  let server;
  before(async () => {
    server = await startServer();
    await setUp(server);
  });
  after(() => server?.stop());

  test("waits, says what is wrong with a request, and notices the first measurement", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context);
    await page.goto("/");
    await page.getByRole("heading", { name: "Waiting for your first measurement" }).waitFor();
    const code = page.getByRole("tabpanel");
    await code.getByText(/tmk_\w+/).first().waitFor();
    const token = /tmk_\w+/.exec(await code.innerText())[0];
    await page.reload();
    await code.getByText(token).first().waitFor(); // what was copied still works
    await page.getByText("No request yet.").waitFor();
    await page.getByRole("button", { name: "Nothing arriving?" }).click();
    await page.getByText("Firewall").waitFor();

    // Watching takes a moment to begin, so the wrong token comes until it is noticed.
    const refused = page.getByText("A request came without a token that is known (401).");
    await until(async () => {
      assert.equal((await send(server, "tmk_wrong", "hello.tide", 42)).status, 401);
      return refused.isVisible();
    });
    assert.equal((await send(server, token, "hello.tide", 42)).status, 202);
    await page.getByRole("heading", { name: "It works. hello.tide is 42." }).waitFor();
    await page.getByRole("link", { name: "See the metric" }).click();
    await page.waitForURL(/\/metrics\?name=hello\.tide/);
    await page.getByRole("img", { name: /hello\.tide/ }).first().waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("afterwards the page lists who sends", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context);
    await page.goto("/send");
    await page.getByRole("heading", { name: "What arrived in the last hour" }).waitFor();
    await page.getByRole("cell", { name: "node" }).waitFor();
    await page.getByText("Refused lately").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });
});

describe("with an organization", () => {
  let server;
  before(async () => {
    server = await startServer();
    await setUp(server);
    assert.equal((await send(server, server.token, "shop.latency", 40)).status, 202);
  });
  after(() => server?.stop());

  /** A window that gives up early: on a good day nothing here takes a second. */
  async function visit(options) {
    const { context, page, problems } = await openPage(browser, server, options);
    await signIn(context);
    return { context, page, problems };
  }

  test("a service is added, tested, told of an alert, which is resolved", async () => {
    const received = [];
    const receiver = createServer((req, res) => {
      let body = "";
      req.on("data", (d) => (body += d));
      req.on("end", () => {
        received.push(body);
        res.end("thanks");
      });
    });
    await new Promise((r) => receiver.listen(0, "127.0.0.1", r));
    const address = `http://127.0.0.1:${receiver.address().port}/hook`;
    const { context, page, problems } = await visit();

    await page.goto("/settings/services");
    await page.getByRole("button", { name: "Add service" }).click();
    await page.getByRole("button", { name: "JSON webhook" }).click();
    await page.getByLabel("Title").fill("Receiver");
    await page.getByLabel("URL").fill("nonsense");
    await page.getByRole("dialog").getByRole("button", { name: "Add service" }).click();
    await page.getByText("Is missing protocol").waitFor();
    await page.getByLabel("URL").fill(address);
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText(/200.* in \d+ ms/).waitFor();
    assert.equal(received.length, 1);
    await page.getByRole("dialog").getByRole("button", { name: "Add service" }).click();
    await page.getByText("Receiver is added.").waitFor();
    await page.getByRole("button", { name: "Receiver", exact: true }).click();
    await page.getByText("set", { exact: true }).waitFor();
    assert.ok(!(await page.content()).includes(address), "the secret is not shown again");

    await page.goto("/alerts/new?metric=shop.latency");
    await page.getByLabel(/^Threshold/).first().fill("250");
    await page.getByLabel("For how long").selectOption({ label: "at once" });
    await page.getByText(/Would not have fired/).waitFor();
    await page.getByRole("button", { name: "Service", exact: true }).click();
    await page.getByRole("menuitem", { name: /Receiver/ }).click();
    await page.getByLabel("Name").fill("shop.slow");
    await page.getByRole("button", { name: "Save alert" }).click();
    await page.getByRole("heading", { name: "shop.slow" }).waitFor();
    await page.getByText(/^OK\./).waitFor();

    const firing = page.getByText(/Firing for/);
    await until(
      async () => {
        await send(server, server.token, "shop.latency", 400);
        return firing.isVisible();
      },
      () => "the alert does not fire",
      60_000,
    );
    await until(() => received.some((b) => b.includes("shop.slow")), () => `received ${received}`, 30_000);
    await page.getByText("Delivered").first().waitFor({ timeout: 30_000 });
    await page.goto("/alerts");
    await page.getByRole("link", { name: "shop.slow" }).waitFor();
    await page.getByText(/Firing for/).waitFor();

    // The measurement that goes below comes first: then resolving needs no question.
    await page.getByRole("link", { name: "shop.slow" }).click();
    await page.getByRole("button", { name: "Resolve" }).click();
    const again = page.getByRole("dialog").getByRole("button", { name: "Resolve" });
    await Promise.race([again.click(), page.getByText(/^OK\./).waitFor()]);
    await page.getByText(/^OK\./).waitFor();
    await page.getByText(/resolved by/).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
    receiver.close();
  });

  test("an annotation is added, changed, deleted and brought back", async () => {
    const { context, page, problems } = await visit();
    await page.goto("/annotations/deploys");
    await page.getByRole("button", { name: "Add annotation" }).click();
    await page.getByLabel("Title", { exact: true }).fill("deploy 4.18");
    await page.getByLabel("Address of link 1").fill("https://example.org/build/418");
    await page.getByRole("dialog").getByRole("button", { name: "Add annotation" }).click();
    await page.getByRole("heading", { name: "Today" }).waitFor();
    await page.getByRole("link", { name: /link/ }).waitFor();
    await page.getByRole("button", { name: "Actions for deploy 4.18" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByLabel("Title", { exact: true }).fill("deploy 4.18.1");
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("deploy 4.18.1").waitFor();
    await page.getByRole("button", { name: "Actions for deploy 4.18.1" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByText("Nothing happened in this time.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("article").getByText("deploy 4.18.1").waitFor();
    const { body } = await v1(server, "GET", `/annotations/deploys?start_time=${now() - 3600}`);
    assert.equal(Object.values(body.events).flat()[0].links[0].href, "https://example.org/build/418");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a viewer finds no tokens and changes nothing", async () => {
    const admin = await openPage(browser, server);
    await signIn(admin.context);
    const who = { email: "viewer@example.org", password: "look do not touch" };
    const made = await admin.context.request.post("/ui/api/members", { data: { ...who, role: "viewer" } });
    assert.equal(made.status(), 201);
    await admin.context.close();
    const { context, page, problems } = await openPage(browser, server);
    await signIn(context, who);
    await page.goto("/settings/general");
    await page.getByRole("link", { name: "Members" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "API Tokens" }).count(), 0);
    await page.goto("/settings/tokens");
    await page.getByText(`Ask ${owner.email}.`).waitFor();
    for (const path of ["/alerts", "/annotations", "/settings/services", "/settings/members"]) {
      await page.goto(path);
      await page.getByRole("heading").first().waitFor();
      assert.equal(await page.getByRole("button", { name: /^(Add|New|Delete|Edit)/ }).count(), 0, path);
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("signing in: wrong, then right, and out", async () => {
    const { context, page, problems } = await openPage(browser, server);
    await page.goto("/settings/tokens");
    await page.waitForURL(/\/signin/);
    await page.getByLabel(/e-mail/i).fill(owner.email);
    await page.getByLabel(/password/i).fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("E-mail or password is wrong.").waitFor();
    await page.getByLabel(/password/i).fill(owner.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/settings\/tokens/);
    await page.getByRole("heading", { name: "API Tokens" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });
});
