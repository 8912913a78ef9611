/** Whose eyes: the locale and the time zone that numbers and times are written in. */
export type Viewer = { locale: string | undefined; zone: string };

const key = "tidemark.zone";

// Asking the browser costs more than the formatting itself, and every number asks.
let known: Viewer | undefined;

export function viewer(): Viewer {
  known ??= ask();
  return known;
}

function ask(): Viewer {
  const own = typeof localStorage === "undefined" ? null : localStorage.getItem(key);
  return {
    locale: typeof navigator === "undefined" ? "en-GB" : navigator.language,
    zone: own ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** Sets the viewer's zone; empty means the browser's. */
export function setZone(zone: string): void {
  known = undefined;
  if (zone) localStorage.setItem(key, zone);
  else localStorage.removeItem(key);
}
