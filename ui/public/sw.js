// Shows notifications of alerts, also while no page is open. What it is sent is
// made by internal/notify/push.go.
const here = self.registration.scope;

self.addEventListener("push", (event) => {
  const said = event.data?.json() ?? {};
  const shown = self.registration.showNotification(said.title ?? "Tidemark", {
    body: said.body,
    tag: said.tag,
    // What is new about an incident is worth another sound, unless it is over.
    renotify: Boolean(said.tag) && !said.silent,
    silent: Boolean(said.silent),
    icon: new URL("icon-192.png", here).href,
    data: { path: said.path ?? "", acknowledge: said.acknowledge ?? "" },
    actions: said.acknowledge ? [{ action: "acknowledge", title: "Acknowledge" }] : [],
  });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  const { path, acknowledge } = event.notification.data ?? {};
  event.notification.close();
  const done =
    event.action === "acknowledge" ? acknowledged(event.notification, acknowledge) : open(new URL(path ?? "", here).href);
  event.waitUntil(done);
});

/** Acknowledges without a page, or opens the one that asks. */
async function acknowledged(notification, link) {
  const key = new URL(link).pathname.split("/").pop();
  const answer = await fetch(new URL(`ui/api/acknowledge/${key}`, here), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  }).catch(() => undefined);
  if (!answer?.ok) return open(new URL(`acknowledge/${key}`, here).href);
  return self.registration.showNotification("Acknowledged", {
    body: notification.title,
    tag: notification.tag,
    silent: true,
    icon: new URL("icon-192.png", here).href,
    data: { path: notification.data.path },
  });
}

/** Shows an address of ours, in a page that is open already if there is one. */
async function open(address) {
  const pages = await self.clients.matchAll({ type: "window" });
  const page = pages.find((p) => p.url.startsWith(here));
  if (!page) return self.clients.openWindow(address);
  const moved = await page.navigate(address).catch(() => null);
  return moved ? moved.focus() : self.clients.openWindow(address);
}

// A newer version takes over at once: there is nothing that two could disagree about.
self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
