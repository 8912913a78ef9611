// Notification services: every kind that the server lists is opened, broken,
// tested and saved in a real browser. Run by node --test test/ui/.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { listenTo, startMail } from "./others.mjs";
import { signIn, until, v1 } from "./server.mjs";
import { startShop, visit } from "./shop.mjs";
import { browser, onServer, server } from "./stage.mjs";

/** A value that the rule of a setting refuses, and one that it takes. */
const values = (receiver) => ({
  url: ["nonsense", receiver],
  server: ["nonsense", receiver],
  addresses: ["nobody", "ops@example.org"],
  topic_arn: ["x", "arn:aws:sns:eu-central-1:123456789012:ops"],
  hostname: ["no such host", "127.0.0.1"],
});

/** Kinds that talk to one address on the Internet: their test is answered here. */
const faraway = ["bigpanda", "opsgenie", "pagerduty", "pushover", "sns", "telegram", "victorops"];

/** What the form says of a field, where the API says this of it. */
function sentence(field, said) {
  if (/^[A-Z]/.test(said)) return said;
  const name = field.charAt(0).toUpperCase() + field.slice(1).replaceAll("_", " ");
  return said === "is not present" ? `${name} is missing.` : `${name} ${said}.`;
}
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

describe("services", () => {
  let mail;
  let types;
  const received = [];
  let receiver;
  let base;

  onServer(async () => {
    // What each of them needs to hear to believe that it arrived.
    receiver = await listenTo(received, 200, '{"ok":true,"key":"OPS-1","id":"1"}');
    base = receiver.url;
    mail = await startMail();
    return startShop({ TIDEMARK_SMTP_HOST: "127.0.0.1", TIDEMARK_SMTP_PORT: String(mail.port), TIDEMARK_SMTP_TLS: "none", TIDEMARK_SMTP_FROM: "alerts@example.org" });
  });
  before(async () => {
    const { context, page } = await visit(browser, server);
    types = (await (await context.request.get("/ui/api/service_types")).json()).types.filter((t) => !t.dead);
    await page.close();
  });
  after(() => {
    mail?.stop();
    receiver?.stop();
  });

  test("each kind: refused at its fields, tested, saved, and its secrets kept", async (t) => {
    assert.ok(types.length >= 17, `the server lists ${types.length}`);
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/services");
    for (const type of types) await t.test(type.title, () => goThrough(page, type));
    assert.deepEqual(problems, []);
    await page.close();
  });

  /** One kind, from the list of kinds to the saved service that is opened again. */
  async function goThrough(page, type) {
    await page.getByRole("button", { name: "Add service" }).click();
    const drawer = page.getByRole("dialog");
    await drawer.getByRole("button", { name: type.title, exact: true }).click();
    const title = `The ${type.title}`;
    const field = (f) => drawer.getByLabel(new RegExp(`^${escaped(f.label)}( \\(optional\\))?$`));
    const add = drawer.getByRole("button", { name: "Add service" });
    const own = type.fields.filter((f) => f.name !== "fallback_service_id");
    const [wrong, right] = [{}, {}];
    const sample = values(base);
    for (const f of own) {
      if (sample[f.name]) [wrong[f.name], right[f.name]] = sample[f.name];
      else if (f.choices) right[f.name] = f.choices.at(-1);
      else if (f.long) continue;
      else right[f.name] = `${f.secret ? "s3cret" : "some"}-${f.name}`;
    }

    // Nothing but a title, then what the rules refuse: each problem at its field, as a sentence.
    await drawer.getByLabel("Title").fill(" ");
    for (const broken of [{}, wrong]) {
      for (const [name, v] of Object.entries(broken)) await field(own.find((f) => f.name === name)).fill(v);
      const { status, body } = await v1(server, "POST", "/services", { type: type.type, title: "", settings: { ...(type.type === "pagerduty" && { event_type: "trigger" }), ...broken } });
      assert.equal(status, 400, JSON.stringify(body));
      // The last answer marked the same fields, and one that comes late moves what is pressed next.
      const answered = page.waitForResponse((r) => r.request().method() === "POST" && new URL(r.url()).pathname.endsWith("/v1/services"));
      await add.click();
      await answered;
      for (const [name, [said]] of Object.entries(body.errors.params)) {
        const at = name === "title" ? drawer.getByLabel("Title") : field(own.find((f) => f.name === name));
        await until(async () => (await at.getAttribute("aria-invalid")) === "true", () => `${name} is not marked`);
        const about = await at.getAttribute("aria-describedby");
        assert.equal(await page.locator(`[id="${about}"]`).innerText(), sentence(name, said), name);
      }
      await until(() => page.evaluate(() => document.activeElement.getAttribute("aria-invalid") === "true"), () => "the first one has no focus");
    }

    for (const f of own) {
      if (right[f.name] === undefined) continue;
      if (f.choices) await field(f).selectOption(right[f.name]);
      else await field(f).fill(right[f.name]);
    }
    await drawer.getByLabel("Title").fill(title);
    await sendTest(page, drawer, type, right);
    await add.click();
    await drawer.waitFor({ state: "hidden" });

    await page.getByRole("button", { name: title, exact: true }).click();
    for (const f of own.filter((f) => right[f.name] !== undefined)) {
      if (!f.secret) assert.equal(await field(f).inputValue(), right[f.name], f.name);
    }
    const secrets = own.filter((f) => f.secret && right[f.name]);
    assert.equal(await drawer.getByText("set", { exact: true }).count(), secrets.length);
    const shown = await page.content();
    for (const f of secrets) assert.ok(!shown.includes(right[f.name]), `${f.name} is not shown again`);
    if (secrets.length > 0) {
      await drawer.getByRole("button", { name: "Replace" }).first().click();
      assert.equal(await page.evaluate(() => document.activeElement.tagName), "INPUT");
      await drawer.getByRole("button", { name: "Keep it" }).click();
    }
    assert.ok(await drawer.getByRole("button", { name: "Save changes" }).isDisabled(), "nothing was changed");
    await drawer.getByRole("button", { name: "Cancel" }).click();
    await drawer.waitFor({ state: "hidden" });
  }

  async function sendTest(page, drawer, type, settings) {
    const far = faraway.includes(type.type);
    let sent;
    if (far)
      await page.route("**/ui/api/services/test", (route) => {
        sent = route.request().postDataJSON();
        return route.fulfill({ json: { ok: false, answer: "503 Service Unavailable: closed for repair", duration_ms: 12 } });
      });
    const before = received.length + mail.mails.length;
    await drawer.getByRole("button", { name: "Send test" }).click();
    if (far) {
      await drawer.getByText(/^503 Service Unavailable: closed for repair in 12\sms$/).waitFor();
      for (const [name, v] of Object.entries(settings)) assert.equal(sent.settings[name], v, name);
      await page.unroute("**/ui/api/services/test");
      return;
    }
    await drawer.getByText(/^2\d\d.* in [\d.]+\sm?s$/).waitFor();
    assert.ok(received.length + mail.mails.length > before, "it arrived");
  }

  test("an address that the server may not contact is refused at its field", async () => {
    const { page, problems } = await visit(browser, server);
    await page.goto("/settings/services?open=new-webhook");
    await page.getByRole("textbox", { name: "Title" }).fill("Inside");
    await page.getByLabel("URL").fill("http://10.0.0.1/");
    await page.getByRole("button", { name: "Send test" }).click();
    await page.getByText("Points to a private address, which this server may not contact").waitFor();
    await page.getByRole("textbox", { name: "Title" }).focus();
    await page.getByRole("dialog").getByRole("button", { name: "Add service" }).click();
    await until(() => page.evaluate(() => document.activeElement.getAttribute("aria-invalid") === "true"));
    await page.keyboard.press("Escape");
    await page.getByText("Discard changes to the new service?").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await page.waitForURL((u) => !u.search.includes("open"));
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("an Admin sees what a webhook is signed with, and replaces it", async () => {
    const [bodies, heads] = [[], []];
    const hook = await listenTo(bodies, 200, "thanks", heads);
    const { id } = (await v1(server, "POST", "/services", { type: "webhook_json", title: "Signed", settings: { url: hook.url } })).body;
    const { page, problems } = await visit(browser, server);
    const signatures = async () => {
      const before = bodies.length;
      await page.getByRole("button", { name: "Send test" }).click();
      await until(() => bodies.length > before, () => "no test arrived");
      return heads.at(-1)["tidemark-signature"];
    };
    const verified = (header, secret) => {
      const t = /^t=(\d+),/.exec(header)[1];
      return header.includes(`v1=${createHmac("sha256", secret).update(`${t}.${bodies.at(-1)}`).digest("hex")}`);
    };
    const shown = () => page.locator("code", { hasText: /^tms_\w{43}$/ });
    await page.goto(`/settings/services?open=${id}`);
    await page.getByRole("region", { name: "Signing secret" }).getByRole("button", { name: "Show" }).click();
    const first = await shown().innerText();
    assert.ok(verified(await signatures(), first), "signed with what is shown");
    await page.getByRole("region", { name: "Signing secret" }).getByRole("button", { name: "Replace…" }).click();
    await page.getByRole("button", { name: "Make a new secret" }).click();
    await page.getByText("The one before signs as well until").waitFor();
    const second = await shown().innerText();
    assert.notEqual(second, first);
    await page.waitForTimeout(10_000); // a service is sent a test once in ten seconds
    const both = await signatures();
    assert.ok(verified(both, first) && verified(both, second), "signed with both");
    assert.deepEqual(problems, []);
    await page.close();
    hook.stop();
  });

  test("a service that alerts notify says so before it is deleted", async () => {
    const { id } = (await v1(server, "POST", "/services", { type: "webhook", title: "Last one", settings: { url: base } })).body;
    const made = await v1(server, "POST", "/alerts", { name: "notifies.one", services: [id], conditions: [{ type: "above", metric_name: "shop.latency", threshold: 1e9 }] });
    assert.equal(made.status, 201);
    const { page, problems } = await visit(browser, server);
    await page.goto(`/settings/services?open=${id}`);
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByText("1 alert notifies it. 1 of them notifies nobody else.").waitFor();
    await page.getByText("notifies.one").waitFor();
    await page.getByRole("button", { name: "Keep it" }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete service" }).click();
    await page.getByText("Last one is deleted.").waitFor();
    assert.equal((await v1(server, "GET", `/services/${id}`)).status, 404);
    assert.deepEqual(problems, []);
    await page.close();
  });

  test("a Member renames a service but does not see or send its secrets", async () => {
    const who = { email: "member@example.org", password: "change nearly everything" };
    server.cli(["user", "create", who.email, "--role", "member"], who.password);
    const { id } = (await v1(server, "POST", "/services", { type: "webhook", title: "Hidden", settings: { url: `${base}/s3cretpath` } })).body;
    const { context, page, problems } = await visit(browser, server);
    await signIn(context, who);
    await page.goto(`/settings/services?open=${id}`);
    await page.getByText("Only Admins change the settings of a service that has secrets.").waitFor();
    await page.getByRole("textbox", { name: "Title" }).fill("Renamed");
    assert.ok(await page.getByRole("button", { name: "Send test" }).isDisabled());
    await page.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Renamed is saved.").waitFor();
    const { body } = await v1(server, "GET", `/services/${id}`);
    assert.equal(body.title, "Renamed");
    assert.equal(body.settings.url, `${base}/s3cretpath`);
    assert.deepEqual(problems, []);
    await page.close();
  });
});
