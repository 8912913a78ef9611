/** Labels of alerts: names and values that people gave them, written team=checkout. */
export type Labels = Record<string, string>;

export const labelText = (name: string, value: string): string => `${name}=${value}`;

/** Labels in the order they are shown in: by name. */
export const labelList = (labels: Labels): string[] =>
  Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => labelText(name, value));

const most = { labels: 20, name: 64, value: 255 };

/** What somebody typed, as a label, or what is wrong with it. The words are those of the server's rules. */
export function readLabel(text: string): { name: string; value: string } | { problem: string } {
  const at = text.indexOf("=");
  const name = (at < 0 ? text : text.slice(0, at)).trim();
  const value = at < 0 ? "" : text.slice(at + 1).trim();
  if (name === "") return { problem: "Name of the label is missing. Write team=checkout." };
  const wrong = /[^A-Za-z0-9.:_-]/u.exec(name)?.[0];
  if (wrong) return { problem: `Label may have letters, digits and . : - _ in its name only. Remove ${shown(wrong)}.` };
  if (name.length > most.name)
    return { problem: `Name of the label has ${name.length} characters; ${most.name} are allowed.` };
  if (value === "") return { problem: `Value of ${name} is missing. Write ${name}=value.` };
  if (value.length > most.value)
    return { problem: `Value of ${name} has ${value.length} characters; ${most.value} are allowed.` };
  return { name, value };
}

const shown = (c: string) => (c === " " ? "the blank" : c);

/** Why no further label can be added. */
export const labelsFull = (labels: Labels, name: string): string | undefined =>
  Object.keys(labels).length >= most.labels && !(name in labels)
    ? `An alert has ${most.labels} labels at most.`
    : undefined;

/** Labels that are asked for, each with the values that will do: as in an address, team=checkout,team=search. */
export type LabelFilter = Map<string, string[]>;

const escaped = (s: string) => s.replaceAll("%", "%25").replaceAll(",", "%2C");
const unescaped = (s: string) => s.replaceAll("%2C", ",").replaceAll("%25", "%");

export function readFilter(text = ""): LabelFilter {
  const out: LabelFilter = new Map();
  for (const part of text.split(",").filter(Boolean)) {
    const [name = "", ...rest] = unescaped(part).split("=");
    if (name && rest.length) out.set(name, [...(out.get(name) ?? []), rest.join("=")]);
  }
  return out;
}

export const writeFilter = (filter: LabelFilter): string =>
  [...filter].flatMap(([name, values]) => values.map((v) => escaped(labelText(name, v)))).join(",");

/** The filter with one label more, or less if it has it. */
export function toggled(filter: LabelFilter, name: string, value: string): LabelFilter {
  const had = filter.get(name) ?? [];
  const values = had.includes(value) ? had.filter((v) => v !== value) : [...had, value];
  const next = new Map(filter);
  if (values.length) next.set(name, values);
  else next.delete(name);
  return next;
}

/** Whether labels are as asked for: one of the values for every name. */
export const passes = (labels: Labels, filter: LabelFilter): boolean =>
  [...filter].every(([name, values]) => values.includes(labels[name] ?? ""));

/** Every label that some of these have, with how many. */
export function labelsOf(all: { labels: Labels }[]): { name: string; value: string; count: number }[] {
  const counts = new Map<string, { name: string; value: string; count: number }>();
  for (const { labels } of all)
    for (const [name, value] of Object.entries(labels)) {
      const key = labelText(name, value);
      const found = counts.get(key) ?? { name, value, count: 0 };
      counts.set(key, { ...found, count: found.count + 1 });
    }
  return [...counts.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, v]) => v);
}
