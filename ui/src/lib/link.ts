import { inOrg, splitOrg } from "./org";
import { withPrefix } from "./prefix";

/** What is wrong with an address that people are to follow, in words; nothing if it is empty or one of the web. */
export function linkProblem(text: string): string | undefined {
  const t = text.trim();
  if (t === "") return undefined;
  if (!/^https?:\/\//i.test(t)) return "Begin with https:// or http://, or it could not be opened.";
  return URL.canParse(t) && !/\s/.test(t) ? undefined : "This is not an address.";
}

/**
 * An address to go on to, if it is one of our own: somebody else may have put it together. Browsers pass over tabs
 * and line breaks, and take a backslash for a slash.
 */
export const ownPath = (path: string | undefined): string =>
  path?.startsWith("/") && !/^\/\/|[\\\t\r\n]/.test(path) ? path : "/";

/** An address as a link has it: those of our own are below the server's path and in this tab's organization. */
export const hrefOf = (to: string): string => (to.startsWith("/") ? withPrefix(splitOrg(to).org ? to : inOrg(to)) : to);
