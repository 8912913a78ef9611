import { whyNot } from "../push/subscription";

const key = "tidemark.not-notified";
const days = 30;

/** Whether to offer notifications: the browser can, nobody decided, and nobody said "Not now" lately. */
export function mayAsk(now = Date.now()): boolean {
  if (whyNot() || Notification.permission !== "default") return false;
  return now - Number(localStorage.getItem(key) ?? 0) > days * 86_400_000;
}

/** Asks again after a month at the earliest. */
export function notNow(now = Date.now()): void {
  localStorage.setItem(key, String(now));
}
