import type { RequestActivity } from "../api/ui.gen";
import { agentName } from "./tokenHints";

/** A token that those who manage tokens know. */
type Known = { name: string; last4: string; active: boolean; expires_at: number };

/** The state of one check of the first steps. */
export type Check = { state: "done" | "now" | "later" | "wrong"; text: string };

/** Why a request was refused, in words that say what to change. */
export function refusal(r: Pick<RequestActivity, "status" | "reason" | "token_ends">, known: Known[] = []): string {
  const reason = r.reason.replace(/\.$/, "");
  const held = r.token_ends ? known.find((t) => t.last4 === r.token_ends) : undefined;
  if (r.status === 401 && held && !held.active) return `A request came with ${held.name}, which is Inactive (401).`;
  if (r.status === 401 && held?.expires_at && held.expires_at < Date.now() / 1000)
    return `A request came with ${held.name}, which has expired (401).`;
  if (r.status === 401 && r.token_ends) return `A request came with an unknown token ending ${r.token_ends} (401).`;
  if (r.status === 401 && /authorization required/i.test(reason)) return "A request came without a token (401).";
  if (r.status === 401) return `A request came, but its token was refused (401): ${reason}.`;
  if (r.status === 403) return `A request came, but its token may not do this (403): ${reason}.`;
  if (r.status === 413) return "A request came that is too large (413). Send smaller batches.";
  if (r.status === 429) return "Requests come faster than they are taken (429).";
  if (/^measurement \d+ failed/.test(reason)) return `A request was read, but ${reason}.`;
  return `A request was read, but refused (${r.status}): ${reason}.`;
}

/** Whether a request tried to send measurements: others prove that the address is right, but store nothing. */
export const sends = (r: Pick<RequestActivity, "method" | "path">): boolean =>
  r.method === "POST" && /^\/v1\/(measurements|metrics)$/.test(r.path);

/** "web-01 (telegraf)" */
export const senderOf = (r: Pick<RequestActivity, "sender" | "user_agent">): string =>
  r.user_agent ? `${r.sender} (${agentName(r.user_agent)})` : r.sender;
