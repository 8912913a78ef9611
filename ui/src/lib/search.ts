/** The part of an address after the question mark, as plain text values: ?from=-6h&tag.region=eu. */
export type Search = Record<string, string>;

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text));
}

/** Blanks and what makes addresses readable are left as they are. */
export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search)
    .filter(([, v]) => v !== undefined && v !== null && v !== "")
    .map(([k, v]) => `${plain(k)}=${plain(String(v))}`);
  return parts.length ? `?${parts.join("&")}` : "";
}

const plain = (s: string) =>
  encodeURIComponent(s).replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2A", "*").replaceAll("%2F", "/");

/** Picks the named values out of an address; everything else is dropped. */
export function only<K extends string>(...keys: K[]) {
  return (search: Record<string, unknown>): { [P in K]?: string } => {
    const out: { [P in K]?: string } = {};
    for (const k of keys) {
      const v = search[k];
      if (typeof v === "string" && v !== "") out[k] = v;
      if (typeof v === "number") out[k] = String(v);
    }
    return out;
  };
}

export type TagSearch = { [key: `tag.${string}`]: string | undefined };

/** As only, and the tag filters: tag.region=eu; in Explore also what belongs to further queries: b.metric=cpu. */
export function withTags<K extends string>(...keys: K[]) {
  const named = only(...keys);
  return (search: Record<string, unknown>): { [P in K]?: string } & TagSearch => {
    const tags = Object.fromEntries(
      Object.entries(search).filter(([k, v]) => /^(tag|[b-fw])\./.test(k) && typeof v === "string"),
    );
    return { ...named(search), ...tags } as { [P in K]?: string } & TagSearch;
  };
}
