import { dayAndClock } from "./format";

/** The audit log in sentences. */

type Named = { kind: "token" | "user" | "space" | "organization" | "other"; id?: number; name: string };

/** What an entry is about: the log writes token 7 "ci", user a@example.org, user 3, space 1. */
export function thing(object: string): Named {
  const [, kind, id, quoted] = /^(token|user|space) (\d+)(?: "(.*)")?$/.exec(object) ?? [];
  if (kind) return { kind: kind as Named["kind"], id: Number(id), name: quoted ?? "" };
  if (object.startsWith("user ")) return { kind: "user", name: object.slice(5) };
  return object === "organization" ? { kind: "organization", name: "" } : { kind: "other", name: object };
}

const deeds: Record<string, string> = {
  "token.create": "made the token",
  "token.update": "changed the token",
  "token.rotate": "gave a new value to the token",
  "token.delete": "deleted the token",
  "member.add": "added",
  "member.invite": "invited",
  "member.reinvite": "sent another invitation to",
  "member.uninvite": "took back the invitation of",
  "member.join": "joined as",
  "user.claim": "took over the account of",
  "server.setup": "set up the server",
  "member.update": "changed the role of",
  "member.remove": "removed",
  "org.rename": "renamed the organization",
  "org.update": "changed the settings of the organization",
  "share.create": "shared",
};

export const deed = (action: string): string => deeds[action] ?? action;

/** Who did it: a person by e-mail, a token by name, or the server's operator. */
export function who(actor: string): string {
  if (actor.startsWith("user:")) return actor.slice(5);
  if (actor.startsWith("token:")) return `Token ${actor.slice(6)}`;
  if (actor === "cli") return "The operator";
  if (actor === "bootstrap") return "The first start";
  return actor;
}

const fields: Record<string, string> = {
  active: "Status",
  alerts_before_metrics: "Alerts may name metrics that do not exist yet",
  address: "From",
  last4: "Ends in",
  name: "Name",
  role: "Role",
  expires_at: "Expires",
  from: "Old value ends in",
  to: "New value ends in",
  old_until: "Old value works until",
};
const tokenRoles: Record<string, string> = { recorder: "Record Only", viewer: "View Only", admin: "Full Access" };
const memberRoles: Record<string, string> = { admin: "Admin", member: "Member", viewer: "Viewer" };

/** A value as the interface calls it. */
function words(field: string, v: unknown, ofToken: boolean): string {
  if (v === null || v === undefined || v === "") return "none";
  if (field === "active") return v ? "Active" : "Inactive";
  if (field === "role") return (ofToken ? tokenRoles : memberRoles)[String(v)] ?? String(v);
  if (field === "expires_at" || field === "old_until") return when(v);
  return typeof v === "object" ? JSON.stringify(v) : String(v);
}

/** A time as the log has it: seconds, or a date; 0 is never. */
function when(v: unknown): string {
  const at = typeof v === "number" ? v : Date.parse(String(v)) / 1000;
  return at > 0 ? dayAndClock(at) : "never";
}

export type Change = { field: string; from?: string; to: string };

/** What changed, one line a field, in the interface's words. */
export function changes(detail: Record<string, unknown> | null, action: string): Change[] {
  const ofToken = action.startsWith("token.");
  return Object.entries(detail ?? {}).map(([name, v]) => {
    const field = fields[name] ?? name;
    const pair = v && typeof v === "object" && "to" in v ? (v as { from?: unknown; to: unknown }) : undefined;
    if (!pair) return { field, to: words(name, v, ofToken) };
    return { field, from: words(name, pair.from, ofToken), to: words(name, pair.to, ofToken) };
  });
}
