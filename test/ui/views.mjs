// What there is to see: an address, what to do there before the picture, and
// what must be in sight then. Used by screenshots.mjs.

const press = (key) => (page) => page.keyboard.press(key);
const click = (name, role = "button") => async (page) => {
  await page.getByRole(role, { name, exact: typeof name === "string" }).first().click();
  await page.mouse.move(0, 0); // no tooltip of what happens to come under it
};
const dialog = (page) => page.getByRole("dialog").first().waitFor();
/** A form in a drawer beside the page, or over it on a phone. */
const beside = (page) => page.getByRole("dialog").or(page.getByRole("complementary", { name: /^New/ })).first().waitFor();
const menu = (name, item) => async (page) => {
  await page.getByRole("button", { name }).first().click();
  if (item) await page.getByRole("menuitem", { name: item }).click();
};

async function hover(page) {
  const chart = page.locator('[role="img"]:has(canvas), [role="img"]').first();
  const box = await chart.boundingBox();
  await page.mouse.move(0, 0); // charts are drawn anew in new colours: the pointer has to come again
  await page.mouse.move(box.x + box.width * 0.55, box.y + box.height * 0.4);
}
/** In a step behind the jump, where values are slow. */
async function pointAtCell(page) {
  const box = await page.getByRole("img", { name: /^Distribution of latency/ }).boundingBox();
  await page.mouse.move(0, 0);
  await page.mouse.move(box.x + box.width * 0.5, box.y + box.height * 0.5);
}
async function breakComposite(page) {
  await page.locator(".cm-content").click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("s");
  await page.keyboard.press("Escape");
  await page.locator(".cm-lintRange-error").waitFor();
}
async function search(page) {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("check");
  await page.getByRole("option", { name: /checkout.latency.high/ }).waitFor();
}
async function twoConditions(page) {
  await page.getByLabel(/^Threshold/).first().fill("250");
  await page.getByLabel("Evaluated").first().selectOption({ label: "per region" });
  await page.getByRole("button", { name: "Add condition" }).click();
  await page.getByRole("combobox", { name: "Metric" }).last().fill("queue.depth");
  await page.getByRole("option", { name: /queue.depth/ }).first().click();
  await page.getByLabel(/^Threshold/).nth(1).fill("2000");
  await page.getByRole("textbox", { name: "Name" }).fill("checkout.pay-step.slow");
  await page.getByText("queue.depth above 2,000").first().waitFor({ state: "attached" });
  await page.getByRole("combobox", { name: "Function" }).first().focus();
  await page.evaluate(() => scrollTo(0, 0));
}
async function newService(page) {
  await page.getByRole("button", { name: "Service", exact: true }).click();
  await page.getByRole("menuitem", { name: /New service/ }).click();
  await page.getByRole("button", { name: "Slack", exact: true }).click();
  await page.getByLabel("Title").waitFor();
}
async function generate(page) {
  await page.getByLabel("Name").fill("collectd");
  await page.getByRole("button", { name: "Generate token" }).click();
  await page.getByText(/tmk_\w+/).first().waitFor();
}
async function narrowReader(page) {
  await page.getByLabel("Name").fill("checkout-board");
  await page.getByRole("radio", { name: /View Only/ }).check();
  await page.getByRole("button", { name: "Only these" }).click();
  await page.getByRole("textbox", { name: "Metrics" }).fill("checkout.* queue.* ");
  await page.getByRole("textbox", { name: "Streams where" }).fill("region=eu-west,eu-north ");
  await page.getByText(/metrics match now/).waitFor();
}
/** The other window may have come first: then the token was shown there. */
async function showToken(page) {
  const value = page.getByRole("tabpanel").getByText(/tmk_\w+/).first();
  const again = page.getByRole("button", { name: "Make a new value" });
  await value.or(again).waitFor();
  if (await again.isVisible()) await again.click();
  await value.waitFor();
}
async function signedOutMeanwhile(page) {
  await page.getByLabel("Name of the organization").fill("Example Shop of two");
  await page.context().clearCookies();
  await page.getByRole("button", { name: "Save changes" }).click();
}
async function wrongPassword(page) {
  await page.getByLabel(/e-mail/i).fill("owner@example.org");
  await page.getByLabel(/password/i).fill("a wrong one");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").first().waitFor();
}

/** As in a browser in which nobody was asked yet; a headless one says that it must not. */
async function mayBeNotified(page) {
  await page.addInitScript(() => Object.defineProperty(Notification, "permission", { get: () => "default" }));
  await page.reload();
}
/** Whoever has an authenticator app, after the password. */
async function secondStep(page, at) {
  await page.getByLabel(/e-mail/i).fill(at.careful.email);
  await page.getByLabel(/password/i).fill(at.careful.password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Code from your authenticator app").waitFor();
}

async function band(page) {
  await page.getByLabel("Condition").selectOption({ label: "falls below its usual band" });
  await page.getByText("Usual is the median of the same hour").waitFor();
  await page.getByText("Other widths").waitFor();
}

/** The organization of the demo. */
export const used = {
  space: { path: "/spaces/1" },
  "space-crosshair": { path: "/spaces/1", still: hover, only: "wide" },
  "space-time": { path: "/spaces/1", act: press("t") },
  "space-filter": { path: "/spaces/1?tag.region=eu-central,us-east", act: click(/region is any of/), ready: (p) => p.getByRole("checkbox").first().waitFor() },
  "space-layout": { path: "/spaces/1", act: press("e"), only: "wide" },
  "space-menu": { path: "/spaces/1", act: menu(/^More/) },
  "space-share": { path: "/spaces/1", act: menu(/^More/, "Share…"), ready: dialog },
  "space-shared": { path: (at) => at.share },
  hosts: { path: (at) => at.hosts, ready: (p) => p.getByText("Made from what arrives.").waitFor() },
  "space-history": { path: (at) => at.history, act: click(/oncall@example.org/, "link"), ready: (p) => p.getByRole("article", { name: "Orders per hour, added" }).waitFor() },
  spaces: { path: "/spaces" },
  "space-import": { path: "/spaces/1", act: menu(/^More/, "Import JSON…"), ready: dialog },
  "space-new": { path: "/spaces", act: press("c"), ready: dialog },
  wall: { path: "/spaces/1/wall", only: "wide" },
  "chart-full": { path: "/spaces/1/charts/5" },
  "chart-editor": { path: "/spaces/1/charts/10/edit" },
  "chart-heatmap": { path: (at) => at.heatmap, still: pointAtCell },
  "composite-editor": { path: "/spaces/1/charts/3/edit" },
  "composite-error": { path: "/spaces/1/charts/3/edit", act: breakComposite },
  explore: { path: "/explore?metric=checkout.requests&group=region" },
  "explore-table": { path: "/explore?metric=checkout.requests&group=region&view=table" },
  "explore-changed": {
    path: (at) => `/explore?metric=checkout.latency.p99&group=region&b.metric=checkout.errors&b.group=region&brush=${at.trouble}`,
    ready: (p) => p.getByText(/streams compared in/).waitFor(),
  },
  metrics: { path: "/metrics?q=checkout*&name=checkout.requests&group=region" },
  "metric-edit": { path: "/metrics?q=checkout*&name=checkout.requests&group=region", act: click("Edit properties"), ready: dialog },
  "metrics-list": { path: "/metrics", only: "phone" },
  alerts: { path: "/alerts" },
  "alerts-selected": { path: "/alerts", act: (p) => p.getByRole("checkbox", { name: /^Select all/ }).click(), only: "wide" },
  "alerts-firing": { path: "/alerts?state=firing", only: "phone" },
  "alerts-notify": { path: "/alerts", act: mayBeNotified, ready: (p) => p.getByRole("region", { name: "Be notified on this phone?" }).scrollIntoViewIfNeeded(), only: "phone" },
  alert: { path: "/alerts/1" },
  "alert-absent": { path: "/alerts", act: click("worker.heartbeat.absent", "link") },
  "alert-snooze": { path: "/alerts/1", act: menu("Snooze"), only: "wide" },
  "alert-resolve": { path: "/alerts/1", act: click("Resolve"), ready: dialog },
  "alert-delivery": { path: "/alerts/1", act: click(/^Deploy gate/), ready: (p) => p.getByRole("dialog").locator("pre").waitFor() },
  "alert-snoozed": { path: "/alerts", act: click("db.replication.lag", "link") },
  "alert-editor": { path: "/alerts/1/edit" },
  "alert-new": { path: "/alerts/new?metric=checkout.latency.p99", act: twoConditions },
  "alert-service": { path: "/alerts/1/edit", act: newService },
  "alert-band": { path: "/alerts/new?metric=checkout.orders", act: band },
  maintenance: { path: "/maintenance" },
  "maintenance-new": { path: "/maintenance", act: press("c"), ready: beside },
  objectives: { path: "/objectives" },
  objective: { path: "/objectives", act: click("Orders that go through", "link") },
  checks: { path: "/checks", ready: (p) => p.getByText(/^Slow/).first().waitFor({ timeout: 90_000 }) },
  "check-new": { path: "/checks", act: press("c"), ready: beside },
  annotations: { path: "/annotations/deploys" },
  "annotation-new": { path: "/annotations/deploys", act: press("c"), ready: dialog },
  send: { path: "/send" },
  settings: { path: "/settings", only: "phone" },
  more: { path: "/more", only: "phone" },
  tokens: { path: "/settings/tokens" },
  "token-new": { path: "/settings/tokens/new" },
  "token-reader": { path: "/settings/tokens/new", act: narrowReader },
  "token-details": { path: "/settings/tokens", act: click("telegraf-production", "link"), ready: dialog },
  "token-delete": { path: "/settings/tokens/2/delete", ready: dialog },
  "token-rotate": { path: "/settings/tokens/2/rotate" },
  "token-secret": { path: "/settings/tokens/new", act: generate },
  general: { path: "/settings/general" },
  members: { path: "/settings/members" },
  invite: { path: (at) => at.invite },
  "member-new": { path: "/settings/members", act: press("c"), ready: dialog },
  services: { path: "/settings/services" },
  service: { path: "/settings/services", act: click("Deploy gate"), ready: dialog },
  "service-kinds": { path: "/settings/services", act: click("Add service"), ready: dialog },
  "service-new": { path: "/settings/services?open=new-jira", ready: dialog },
  "service-delete": { path: "/settings/services?open=1-delete", ready: dialog },
  usage: { path: "/settings/usage" },
  sessions: { path: "/settings/sessions" },
  notifications: { path: "/settings/notifications" },
  security: { path: "/settings/security" },
  deleted: { path: "/settings/deleted" },
  machines: { path: "/operator/machines" },
  limits: { path: "/operator/limits" },
  audit: { path: "/settings/audit", act: (p) => p.locator("summary").first().click() },
  palette: { path: "/spaces/1", act: search },
  keys: { path: "/spaces/1", act: press("?"), ready: dialog, only: "wide" },
  missing: { path: "/nowhere" },
  // The last one: afterwards nobody is signed in.
  "signin-again": { path: "/settings/general", act: signedOutMeanwhile, ready: dialog },
};

/** Before anybody is in: the first start. */
export const fresh = { setup: { path: (at) => at.setup } };

/** Outside. */
export const signedOut = {
  signin: { path: "/signin" },
  "signin-wrong": { path: "/signin", act: wrongPassword },
  "signin-second": { path: "/signin", act: secondStep },
  reset: { path: "/reset" },
};

/** An organization in which nothing has happened yet. */
export const unused = {
  "first-run": { path: "/send", act: showToken },
  "spaces-empty": { path: "/spaces" },
  "alerts-empty": { path: "/alerts" },
  "services-empty": { path: "/settings/services" },
};
