const stops =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex='0'], [contenteditable='true']";

/** What in an element Tab goes to, in its order. */
export const focusable = (box: HTMLElement): HTMLElement[] =>
  [...box.querySelectorAll<HTMLElement>(stops)].filter((s) => s.tabIndex >= 0 && s.checkVisibility());
