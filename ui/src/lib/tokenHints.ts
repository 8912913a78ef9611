import { browserName } from "./browser";
import { count, day } from "./format";

const dayLength = 86_400;

type Facts = { created_at: number; last_used_at: number; expires_at: number; old_until: number; active: boolean };

/** What is worth a look about a token, in a few words; at most one hint. */
export function tokenHint(t: Facts, now = Date.now() / 1000): string | undefined {
  const days = (seconds: number) => count(Math.max(1, Math.round(seconds / dayLength)), "day");
  if (t.expires_at > 0 && t.expires_at <= now) return "Expired";
  if (t.expires_at > 0 && t.expires_at - now <= 14 * dayLength) return `Expires in ${days(t.expires_at - now)}`;
  if (t.old_until > now) return `Old value works until ${day(t.old_until)}`;
  if (!t.active) return undefined;
  if (t.last_used_at === 0) return now - t.created_at >= 7 * dayLength ? "Never used" : undefined;
  if (now - t.last_used_at >= 90 * dayLength) return `Unused for ${days(now - t.last_used_at)}`;
  return undefined;
}

/** "telegraf" of "telegraf/1.34 (linux)": what a person calls the program. */
export const agentName = (userAgent: string): string =>
  userAgent.startsWith("Mozilla/") ? browserName(userAgent) : userAgent.split(/[/ (]/)[0] || userAgent;
