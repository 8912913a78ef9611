import type { Seen } from "../api/arrivals";
import { agentName } from "./tokenHints";

/** The state of one check of the first steps. */
export type Check = { state: "done" | "now" | "later" | "wrong"; text: string };

/** Why a request was refused, in words that say what to change. */
export function refusal(r: Pick<Seen, "status" | "reason">): string {
  const reason = r.reason.replace(/\.$/, "");
  if (r.status === 401 && /authorization required/i.test(reason))
    return "A request came without a token that is known (401).";
  if (r.status === 401) return `A request came, but its token was refused (401): ${reason}.`;
  if (r.status === 403) return `A request came, but its token may not do this (403): ${reason}.`;
  if (r.status === 413) return "A request came that is too large (413). Send smaller batches.";
  if (r.status === 429) return "Requests come faster than they are taken (429).";
  return `A request was read, but refused (${r.status}): ${reason}.`;
}

/** Whether a request tried to send measurements: others prove that the address is right, but store nothing. */
export const sends = (r: Pick<Seen, "method" | "path">): boolean =>
  r.method === "POST" && /^\/v1\/(measurements|metrics)$/.test(r.path);

/** "web-01 (telegraf)" */
export const senderOf = (r: Pick<Seen, "sender" | "user_agent">): string =>
  r.user_agent ? `${r.sender} (${agentName(r.user_agent)})` : r.sender;
