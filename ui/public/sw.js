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
    data: { path: said.path ?? "", acknowledge: said.acknowledge ?? "", snooze: said.snooze ?? "" },
    actions: [
      ...(said.acknowledge ? [{ action: "acknowledge", title: "Acknowledge" }] : []),
      ...(said.snooze ? [{ action: "snooze", title: "Snooze 1 h" }] : []),
    ],
  });
  event.waitUntil(shown);
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(actions[event.action]?.(event.notification) ?? open(pageOf(event.notification)));
});

const pageOf = (notification) => new URL(notification.data?.path ?? "", here).href;

/** What the buttons do, without a page. */
const actions = {
  acknowledge: (notification) => {
    const key = new URL(notification.data.acknowledge).pathname.split("/").pop();
    return change(notification, `ui/api/acknowledge/${key}`, {}, "Acknowledged", new URL(`acknowledge/${key}`, here).href);
  },
  snooze: (notification) =>
    change(notification, notification.data.snooze, { seconds: 3600 }, "Snoozed for an hour", pageOf(notification)),
};

/** Makes a change and says so, or opens the page where it can be made. */
async function change(notification, path, body, done, otherwise) {
  const answer = await fetch(new URL(path, here), {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }).catch(() => undefined);
  if (!answer?.ok) return open(otherwise);
  return self.registration.showNotification(done, {
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
