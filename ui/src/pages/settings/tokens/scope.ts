import type { TokenRole } from "../../../api/tokens";
import type { AddedTag, TokenScope } from "../../../api/ui.gen";
import { count, day } from "../../../lib/format";

/** A scope as it is chosen. Tags are kept as they are typed: "site=ams,fra", those that are added "team=shop". */
export type ScopeDraft = { only: boolean; metrics: string[]; tags: string[]; add: string[]; networks: string[] };

export const wholeOrg: ScopeDraft = { only: false, metrics: [], tags: [], add: [], networks: [] };

/** "team=shop" as a tag with its value. */
export function addedOf(text: string): AddedTag {
  const [name = "", value = ""] = text.split(/=(.*)/s);
  return { name, value };
}

/** "site=ams,fra" as a tag with its values; what has no value is kept, for the server to say so. */
export function tagOf(text: string): TokenScope["tags"][number] {
  const [name = "", values = ""] = text.split(/=(.*)/s);
  return { name, values: values.split(",").filter(Boolean) };
}

/** "site is ams", "region is any of 2". */
export function tagWords(text: string): string {
  const { name, values } = tagOf(text);
  return values.length > 1 ? `${name} is any of ${values.length}` : `${name} is ${values[0] ?? "…"}`;
}

/** What is sent for a draft: nothing where nothing is narrowed. Only what is sent gets tags. */
export function narrowed(d: ScopeDraft, role: TokenRole): { scope?: TokenScope; networks?: string[] } {
  const add = role === "recorder" ? d.add.map(addedOf) : [];
  const some = d.only && role !== "admin" && d.metrics.length + d.tags.length + add.length > 0;
  const scope = { metrics: d.metrics, tags: d.tags.map(tagOf), ...(add.length > 0 && { add }) };
  return { ...(some && { scope }), ...(d.networks.length > 0 && { networks: d.networks }) };
}

/** The draft that a token was made of. */
export function draftOf(t: { scope: TokenScope; networks: string[] }): ScopeDraft {
  const tags = t.scope.tags.map((tag) => `${tag.name}=${tag.values.join(",")}`);
  const add = (t.scope.add ?? []).map((tag) => `${tag.name}=${tag.value}`);
  const only = t.scope.metrics.length + tags.length + add.length > 0;
  return { only, metrics: t.scope.metrics, tags, add, networks: t.networks };
}

/** What is sent for a changed draft: all of it, since what is left out stays as it was. */
export function replaced(d: ScopeDraft, role: TokenRole): { scope: TokenScope; networks: string[] } {
  const { scope = { metrics: [], tags: [] }, networks = [] } = narrowed(d, role);
  return { scope, networks };
}

const list = (all: string[], last: "or" | "and"): string =>
  all.length > 1 ? `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}` : (all[0] ?? "");

/** "checkout.* with site=ams or fra, and adds team=shop", or "" for all of it as it is. */
export function scopeWords(s: TokenScope): string {
  const tags = s.tags.map((t) => `${t.name}=${list(t.values, "or")}`).join(" and ");
  const metrics = list(s.metrics, "or");
  const added = list(
    (s.add ?? []).map((t) => `${t.name}=${t.value}`),
    "and",
  );
  const sent = metrics && tags ? `${metrics} with ${tags}` : metrics || (tags && `all metrics with ${tags}`);
  return added ? `${sent || "all metrics"}, and adds ${added}` : sent;
}

/** What a token is narrowed to: "Sends checkout.* with site=ams", or "" for the whole organization. */
export function narrowedTo(t: { role: string; scope: TokenScope }): string {
  const scope = scopeWords(t.scope);
  return scope && `${t.role === "viewer" ? "Reads" : "Sends"} ${scope}`;
}

/** A piece of a sentence: plain, of a machine, or of weight. */
export type Piece = { text: string; as?: "mono" | "bold" };

/** Names, with words between them. */
function pieces(all: string[], last: "or" | "and"): Piece[] {
  return all.flatMap((text, i): Piece[] => {
    const before = i === 0 ? "" : i === all.length - 1 ? ` ${last} ` : ", ";
    return [{ text: before }, { text, as: "mono" }];
  });
}

const many = 3;

/** What may be sent or read: "Send measurements named a.* or b with site=ams and one of 2 values of region". */
function within(does: "Send" | "Read", { metrics, tags, add = [] }: TokenScope): Piece[] {
  const names: Piece[] =
    metrics.length > many
      ? [{ text: `${does} measurements of ${count(metrics.length, "name")} and patterns` }]
      : metrics.length > 0
        ? [{ text: `${does} measurements named ` }, ...pieces(metrics, "or")]
        : [{ text: `${does} any measurement` }];
  const wanted = tags.flatMap((t, i): Piece[] => [
    { text: i === 0 ? " with " : " and " },
    t.values.length > 1
      ? { text: `one of ${t.values.length} values of ${t.name}` }
      : { text: `${t.name}=${t.values[0] ?? ""}`, as: "mono" },
  ]);
  return [...names, ...wanted, ...addition(add)];
}

/** What is added: ", which get team=shop". */
function addition(add: AddedTag[]): Piece[] {
  if (add.length === 0) return [];
  if (add.length > many) return [{ text: `, which get ${count(add.length, "tag")}` }];
  return [
    { text: ", which get " },
    ...pieces(
      add.map((t) => `${t.name}=${t.value}`),
      "and",
    ),
  ];
}

const does: Record<TokenRole, string> = {
  recorder: "Send any measurement",
  viewer: "Read metrics, spaces, alerts and annotations",
  admin: "Read, change and delete everything, tokens included",
};

/** One sentence of what the token can do, from where and until when. */
export function sentenceOf(role: TokenRole, draft: ScopeDraft, end: number | undefined): Piece[] {
  const { scope, networks } = narrowed(draft, role);
  const what = scope ? within(role === "recorder" ? "Send" : "Read", scope) : [{ text: does[role] }];
  const from: Piece[] = !networks
    ? [{ text: ", from anywhere" }]
    : networks.length > 1
      ? [{ text: `, from ${networks.length} networks` }]
      : [{ text: ", from " }, ...pieces(networks, "or")];
  const until: Piece[] = end ? [{ text: ", until " }, { text: day(end), as: "bold" }] : [];
  return [...what, ...from, ...until, { text: "." }].filter((p) => p.text !== "");
}

/** Four things, and whether the token can do them. */
export function abilities(role: TokenRole, scoped: boolean): { can: boolean; text: string; warning?: true }[] {
  if (role === "admin")
    return [
      { can: true, text: "Send and read everything" },
      { can: true, text: "Change and delete alerts, spaces and services" },
      { can: true, text: "Create and delete tokens" },
      { can: true, text: "Whoever holds it owns the organization’s data", warning: true },
    ];
  if (role === "viewer" && scoped)
    return [
      { can: true, text: "Read these metrics and measurements" },
      { can: false, text: "See other metrics, streams or tags" },
      { can: false, text: "See alerts, spaces, annotations or tokens" },
      { can: false, text: "Send, change or delete anything" },
    ];
  if (role === "viewer")
    return [
      { can: true, text: "Read metrics, spaces, alerts and annotations" },
      { can: false, text: "Send measurements" },
      { can: false, text: "Change or delete anything" },
      { can: false, text: "See tokens or service secrets" },
    ];
  return [
    { can: true, text: scoped ? "Send these measurements" : "Send measurements and annotations" },
    { can: !scoped, text: "Read metrics and measurements" },
    { can: false, text: "See alerts, spaces, services or tokens" },
    { can: false, text: scoped ? "Send annotations, describe or delete anything" : "Delete anything" },
  ];
}
