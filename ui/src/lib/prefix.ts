/**
 * The path below which the server is reached, "" or "/tidemark": its page says
 * so. Addresses are written without it; what hands one to the browser adds it.
 */
const meta =
  typeof document === "undefined" ? null : document.querySelector<HTMLMetaElement>('meta[name="path-prefix"]');
// A page that no server has filled in is one of the development server.
const prefix = meta && meta.content !== "__PREFIX__" ? meta.content : "";

/** A path of ours as the browser needs it. */
export const withPrefix = (path: string, before = prefix): string => before + path;

/** A path of the address bar as everything else knows it. */
export const withoutPrefix = (path: string, before = prefix): string =>
  before !== "" && `${path}/`.startsWith(`${before}/`) ? path.slice(before.length) || "/" : path;

/** Leaves this page for another of ours, which is loaded anew. */
export const goTo = (path: string): void => window.location.assign(withPrefix(path));

/** The same, without a way back. */
export const replaceWith = (path: string): void => window.location.replace(withPrefix(path));
