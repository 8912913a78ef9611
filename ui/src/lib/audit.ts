/** The audit log in sentences. */

const deeds: Record<string, string> = {
  "token.create": "created",
  "token.update": "changed",
  "token.rotate": "rotated",
  "token.delete": "deleted",
  "member.add": "added",
  "member.update": "changed the role of",
  "member.remove": "removed",
  "org.rename": "renamed the",
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

/** What changed, one line a field. */
export function changes(detail: Record<string, unknown> | null): { field: string; text: string }[] {
  return Object.entries(detail ?? {}).map(([field, v]) => {
    const pair = v && typeof v === "object" ? (v as { from?: unknown; to?: unknown }) : undefined;
    if (pair && "to" in pair) return { field, text: `${String(pair.from)} → ${String(pair.to)}` };
    return { field, text: typeof v === "object" ? JSON.stringify(v) : String(v) };
  });
}
