import type { TokenRole } from "../../../api/tokens";
import type { TokenScope } from "../../../api/ui.gen";

/** A scope as it is typed. */
export type ScopeDraft = { only: boolean; metrics: string; tags: string; networks: string };

export const wholeOrg: ScopeDraft = { only: false, metrics: "", tags: "", networks: "" };

const words = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** "site=ams region=eu,us" as tags with their values; what has no value is kept, for the server to say so. */
export function tagsOf(text: string): TokenScope["tags"] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => {
      const [name = "", values = ""] = part.split(/=(.*)/s);
      return { name, values: values.split(",").filter(Boolean) };
    });
}

/** What is sent for a draft: nothing where nothing is narrowed. */
export function narrowed(d: ScopeDraft, role: TokenRole): { scope?: TokenScope; networks?: string[] } {
  const scope = { metrics: words(d.metrics), tags: tagsOf(d.tags) };
  const some = d.only && role === "recorder" && (scope.metrics.length > 0 || scope.tags.length > 0);
  const networks = words(d.networks);
  return { ...(some && { scope }), ...(networks.length > 0 && { networks }) };
}

const or = (list: string[]): string =>
  list.length > 1 ? `${list.slice(0, -1).join(", ")} or ${list.at(-1)}` : (list[0] ?? "");

/** "checkout.* with site=ams or fra", or "" for all of it. */
export function scopeWords(s: TokenScope): string {
  const tags = s.tags.map((t) => `${t.name}=${or(t.values)}`).join(" and ");
  const metrics = or(s.metrics);
  if (metrics && tags) return `${metrics} with ${tags}`;
  return metrics || (tags && `all metrics with ${tags}`);
}

/** One sentence of what the token can do. */
export function canSend(d: ScopeDraft, role: TokenRole): string {
  const { scope, networks } = narrowed(d, role);
  const from = networks ? ` It works from ${or(networks)} only.` : "";
  if (!scope) return from.trim();
  return `It can send ${scopeWords(scope)}, and can read nothing.${from}`;
}
