import { withPrefix } from "../lib/prefix";

/** Why this browser cannot be notified, or nothing. */
export function whyNot(): string | undefined {
  if (!window.isSecureContext) return "Notifications need a page over https.";
  if (!("serviceWorker" in navigator) || !("PushManager" in window))
    return "This browser cannot be notified. On an iPhone or iPad, add Tidemark to the home screen and open it from there.";
  if (Notification.permission === "denied")
    return "Notifications are turned off for this site in your browser. Allow them in its settings for this site, then load this page again.";
  return undefined;
}

/** The subscription that this browser has, if it has one. */
export async function subscription(): Promise<PushSubscription | undefined> {
  const worker = await navigator.serviceWorker?.getRegistration(withPrefix("/"));
  return (await worker?.pushManager?.getSubscription()) ?? undefined;
}

/** Asks the person, and has the browser take messages that are signed with the server's key. */
export async function subscribe(key: string): Promise<PushSubscription> {
  if ((await Notification.requestPermission()) !== "granted")
    throw new Error(whyNot() ?? "Your browser was not allowed to notify you.");
  const worker = await navigator.serviceWorker.register(withPrefix("/sw.js"));
  await navigator.serviceWorker.ready;
  const how = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await worker.pushManager.subscribe(how);
  } catch {
    // It has one for another key, such as that of a server that was here before.
    await (await worker.pushManager.getSubscription())?.unsubscribe();
    return worker.pushManager.subscribe(how);
  }
}

/** Ends the subscription of this browser: who signs out here is not notified here. */
export async function unsubscribe(): Promise<void> {
  await (await subscription())?.unsubscribe();
}

/** What the server calls the subscription: half of the hash of its address. */
export async function fingerprint(endpoint: string): Promise<string> {
  const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return [...new Uint8Array(sum, 0, 16)].map((b) => b.toString(16).padStart(2, "0")).join("");
}
