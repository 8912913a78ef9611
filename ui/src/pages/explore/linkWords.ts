/** What is said when the address of a page is copied: a range that goes on shows other data later. */
export const linkWords = (goesOn: boolean): string =>
  `Address copied. Whoever opens it sees ${goesOn ? "the newest data then" : "this"}.`;
