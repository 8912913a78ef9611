const key = "tidemark.crashed";

/** Remembers, for this tab, the page that crashed last: the start page does not lead to it. */
export const noteCrash = (path: string): void => sessionStorage.setItem(key, path);

export const hasCrashed = (path: string): boolean => sessionStorage.getItem(key) === path;

/** Somebody opens it again. */
export function forgetCrash(path: string): void {
  if (hasCrashed(path)) sessionStorage.removeItem(key);
}
