import { dayAndClock } from "./format";

/** The audit log in sentences. */

type Named = { kind: string; id?: number; name: string };

/** What an entry is about: the log writes token 7 "ci", metric "cpu", user a@example.org, user 3, space 1. */
export function thing(object: string): Named {
  const [, kind, id, quoted] = /^([a-z]+) (\d+)(?: "(.*)")?$/.exec(object) ?? [];
  if (kind) return { kind, id: Number(id), name: quoted ?? "" };
  const [, sort, name] = /^([a-z ]+) "(.*)"$/.exec(object) ?? [];
  if (sort) return { kind: sort, name: name ?? "" };
  if (object.startsWith("user ")) return { kind: "user", name: object.slice(5) };
  return object === "organization" ? { kind: "organization", name: "" } : { kind: "other", name: object };
}

const deeds: Record<string, string> = {
  "alert.acknowledge": "acknowledged",
  "alert.comment": "commented on",
  "alert.create": "made the alert",
  "alert.update": "changed the alert",
  "alert.delete": "deleted the alert",
  "alert.reopen": "took back the acknowledgement of",
  "alert.restore": "restored a version of the alert",
  "alert.resolve": "resolved",
  "alert.snooze": "snoozed",
  "alert.resume": "ended the snooze of",
  "alert.test": "sent a test of",
  "annotation.update": "changed the annotation",
  "annotation.delete": "deleted the annotation",
  "annotations.update": "changed the annotation stream",
  "annotations.delete": "deleted the annotation stream",
  "chart.create": "made the chart",
  "chart.update": "changed the chart",
  "chart.restore": "restored a version of the chart",
  "chart.delete": "deleted the chart",
  "delivery.retry": "sent again",
  "objective.create": "made the objective",
  "objective.update": "changed the objective",
  "objective.delete": "deleted the objective",
  "maintenance.create": "made the maintenance window",
  "maintenance.update": "changed the maintenance window",
  "maintenance.delete": "deleted the maintenance window",
  "view.create": "saved for everyone the view of alerts",
  "view.delete": "deleted the view of alerts",
  "device.create": "is notified on",
  "device.update": "changed of what is notified",
  "device.delete": "is no longer notified on",
  "member.add": "added",
  "member.invite": "invited",
  "member.join": "joined as",
  "member.reinvite": "sent another invitation to",
  "member.remove": "removed",
  "member.uninvite": "took back the invitation of",
  "member.update": "changed the role of",
  "metric.create": "made the metric",
  "metric.update": "changed the metric",
  "metric.restore": "restored a version of the composite",
  "metric.delete": "deleted the metric",
  "org.rename": "renamed the organization",
  "org.update": "changed the settings of the organization",
  "password.ask": "asked for a new password for",
  "password.change": "changed the password of",
  "password.reset": "chose a new password for",
  "second_factor.add": "set up a second factor for",
  "second_factor.codes": "made new recovery codes for",
  "second_factor.recover": "used a recovery code of",
  "second_factor.remove": "removed a second factor of",
  "second_factor.rename": "renamed a passkey of",
  "second_factor.reset": "reset the second factor of",
  "server.setup": "set up the server",
  "service.create": "made the service",
  "service.rotate": "replaced the signing secret of the service",
  "service.update": "changed the service",
  "service.delete": "deleted the service",
  "session.end": "signed out",
  "session.open": "signed in",
  "session.refuse": "was refused as",
  "check.create": "made the check",
  "check.update": "changed the check",
  "check.delete": "deleted the check",
  "tag_drop.create": "dropped the tag",
  "tag_drop.delete": "no longer drops the tag",
  "playlist.create": "made the playlist",
  "playlist.update": "changed the playlist",
  "playlist.delete": "deleted the playlist",
  "share.create": "shared",
  "share.delete": "stopped sharing",
  "snapshot.create": "made",
  "snapshot.delete": "deleted",
  "source.update": "named the source",
  "source.delete": "deleted the name of the source",
  "space.create": "made the space",
  "space.delete": "deleted the space",
  "space.import": "imported the space",
  "space.layout": "arranged the space",
  "space.restore": "restored a version of the space",
  "space.update": "renamed the space",
  "token.create": "made the token",
  "token.delete": "deleted the token",
  "token.rotate": "gave a new value to the token",
  "token.update": "changed the token",
  "version.name": "named a version of",
  "user.claim": "took over the account of",
  "user.create": "made the account of",
  "user.update": "changed the name of",
};

export const deed = (action: string): string => deeds[action] ?? action;

/** What can be looked for: kinds of actions. */
export const kinds = [
  { value: "", label: "Everything" },
  { value: "alert.*", label: "Alerts" },
  { value: "annotation*", label: "Annotations" },
  { value: "chart.*", label: "Charts" },
  { value: "objective.*", label: "Objectives" },
  { value: "maintenance.*", label: "Maintenance" },
  { value: "member.*", label: "Members" },
  { value: "metric.*", label: "Metrics" },
  { value: "device.*", label: "Notified devices" },
  { value: "org.*", label: "Organization" },
  { value: "password.*", label: "Passwords" },
  { value: "playlist.*", label: "Playlists" },
  { value: "second_factor.*", label: "Second factors" },
  { value: "service.*", label: "Services" },
  { value: "share.*", label: "Shares" },
  { value: "session.*", label: "Sign-ins" },
  { value: "check.*", label: "Checks" },
  { value: "space.*", label: "Spaces" },
  { value: "token.*", label: "Tokens" },
];

/** Who did it: a person by e-mail, a token by name, or the server's operator. */
export function who(actor: string): string {
  if (actor.startsWith("user:")) return actor.slice(5);
  if (actor.startsWith("token:")) return `Token ${actor.slice(6)}`;
  if (actor === "cli") return "The operator";
  if (actor === "server") return "The server";
  if (actor === "visitor") return "Somebody";
  if (actor === "link in notification") return "Somebody with the link of a notification";
  if (actor === "bootstrap") return "The first start";
  return actor;
}

const fields: Record<string, string> = {
  active: "Status",
  short_name: "Short name in addresses",
  token_max_days: "Days that new tokens are valid at most",
  scope: "Scope",
  networks: "Networks",
  alerts_before_metrics: "Alerts may name metrics that do not exist yet",
  address: "From",
  with: "With",
  why: "Why",
  user_agent: "Browser",
  last4: "Ends in",
  name: "Name",
  role: "Role",
  expires_at: "Expires",
  from: "Old value ends in",
  to: "New value ends in",
  version: "Version",
  old_until: "Old value works until",
};
const tokenRoles: Record<string, string> = { recorder: "Record Only", viewer: "View Only", admin: "Full Access" };
const memberRoles: Record<string, string> = { admin: "Admin", member: "Member", viewer: "Viewer" };

/** A value as the interface calls it. */
function words(field: string, v: unknown, ofToken: boolean): string {
  if (v === null || v === undefined || v === "") return "none";
  if (field === "active") return v ? "Active" : "Inactive";
  if (field === "role") return (ofToken ? tokenRoles : memberRoles)[String(v)] ?? String(v);
  if (/_(at|until)$/.test(field)) return when(v);
  if (Array.isArray(v)) return v.join(", ");
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

export type Difference = { field: string; before?: string; after?: string };

/** The fields that differ, one a line, down to the numbers and texts inside them. */
export function differences(entry: { action: string; before?: Fields; after?: Fields }): Difference[] {
  const ofToken = entry.action.startsWith("token.");
  const was = leaves(entry.before);
  const is = leaves(entry.after);
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return paths
    .filter((p) => JSON.stringify(was.get(p)) !== JSON.stringify(is.get(p)))
    .map((path) => {
      const last = path.slice(path.lastIndexOf(".") + 1);
      const text = (v: unknown) => (isEmpty(v) ? undefined : words(last, v, ofToken));
      const before = text(was.get(path));
      const after = text(is.get(path));
      return {
        field: label(path),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
    })
    .filter((d) => d.before !== undefined || d.after !== undefined);
}

type Fields = Record<string, unknown>;

const isEmpty = (v: unknown) => v === null || v === undefined || v === "" || (Array.isArray(v) && v.length === 0);

/** The values inside fields, by path: conditions.1.threshold. Lists of plain values stay whole. */
function leaves(v: unknown, path = "", into = new Map<string, unknown>()): Map<string, unknown> {
  const list = Array.isArray(v);
  if (list && !v.some((x) => x !== null && typeof x === "object")) {
    into.set(path, v);
  } else if (v !== null && typeof v === "object") {
    for (const [k, x] of Object.entries(v)) leaves(x, `${path ? `${path}.` : ""}${list ? Number(k) + 1 : k}`, into);
  } else if (path) {
    into.set(path, v);
  }
  return into;
}

/** conditions.1.summary_function as "Conditions 1, summary function". */
function label(path: string): string {
  const known = fields[path];
  if (known) return known;
  const text = path
    .replaceAll("_", " ")
    .replace(/\.(\d+)/g, " $1")
    .replaceAll(".", ", ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
