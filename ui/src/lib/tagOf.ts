/** The value of a tag, by its name in any case: what is shown is spelled as it first came. */
export const tagOf = (tags: Record<string, string>, name: string): string | undefined =>
  tags[name] ?? Object.entries(tags).find(([k]) => k.toLowerCase() === name.toLowerCase())?.[1];
