/** Whether two names of tags, or two values of one, are the same: case does not tell them apart. */
export const sameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** A name as a list has it, where that has it in any case. */
export const nameIn = (list: string[], name: string): string => list.find((n) => sameText(n, name)) ?? name;

/** The value of a tag, by its name in any case: what is shown is spelled as it first came. */
export const tagOf = (tags: Record<string, string>, name: string): string | undefined =>
  tags[name] ?? Object.entries(tags).find(([k]) => sameText(k, name))?.[1];

/** Values with one more, or without it where it was there, in any spelling. */
export const toggled = (values: string[], value: string): string[] =>
  values.some((v) => sameText(v, value)) ? values.filter((v) => !sameText(v, value)) : [...values, value];
