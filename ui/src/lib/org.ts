import { withoutPrefix, withPrefix } from "./prefix";

/**
 * The organization of this tab. Every address inside begins with it, those of
 * pages (/o/7/alerts) and those of calls (/o/7/v1/alerts) alike. Pages, links
 * and calls are written without it: the router and the client put it before
 * them here, and nobody else needs to know.
 */
let current = "";
let known = 0;

/** What addresses call the organization that this tab shows; "" at the door and on shared pages. */
export const tabOrg = () => current;

/** What this browser keeps for the organization goes by this, whatever addresses call it. */
export const keptFor = () => String(known || current);

export function showOrg(org: string, id = 0): void {
  current = org;
  known = id;
}

/** Pages that belong to no organization. */
const outside = /^\/(signin|setup|reset|invite|acknowledge|operator|s)(\/|$)/;
export const isOutside = (path: string): boolean => outside.test(path);

/** Splits /o/7/alerts into 7 and /alerts. */
export function splitOrg(path: string): { org: string; rest: string } {
  const [, org = "", rest = ""] = /^\/o\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  return org ? { org, rest: rest || "/" } : { org: "", rest: path };
}

/** An address of this tab's organization, or of another. */
export const inOrg = (path: string, org: string | number = current): string =>
  org === "" || outside.test(path) ? path : `/o/${org}${path}`;

/** What the router sees of an address, and what it writes into the bar. */
export const rewrite = {
  input: ({ url }: { url: URL }) => {
    url.pathname = splitOrg(withoutPrefix(url.pathname)).rest;
    return url;
  },
  output: ({ url }: { url: URL }) => {
    url.pathname = withPrefix(inOrg(url.pathname));
    return url;
  },
};

/** How notifications named an alert before addresses had an organization. */
const oldAlert = /^\/alerts\/(\d+)\/details\/(\d+)$/;

/**
 * Where an address leads that may be from before: one that names an
 * organization stays, one that names none is sent on to the last one used.
 */
export async function resolveAddress(path: string, lastOrg: () => Promise<string | number>): Promise<string> {
  if (splitOrg(path).org || outside.test(path)) return path;
  const [, org, alert] = oldAlert.exec(path) ?? [];
  if (org && alert) return inOrg(`/alerts/${alert}`, org);
  return inOrg(path, await lastOrg());
}
