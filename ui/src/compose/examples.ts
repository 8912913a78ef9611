import type { ComposeFunction } from "../api/ui.gen";

type Known = Pick<ComposeFunction, "name" | "signature" | "help" | "options">;

/** The functions whose name or words have all words of a search in them; those named so first. */
export function matching<F extends Known>(all: F[], q: string): F[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const first = words[0] ?? "";
  return all
    .filter((f) => words.every((w) => `${f.signature} ${f.help}`.toLowerCase().includes(w)))
    .sort((a, b) => Number(b.name.startsWith(first)) - Number(a.name.startsWith(first)));
}

const set = 's("cpu.user", "*")';

/** A value that makes sense for an option. */
const values: Record<string, string> = {
  count: "5",
  detect_reset: "true",
  duration: "60",
  factor: "0.1",
  function: "max",
  gt: "100",
  order: "asc",
  p: "99",
  period: "60",
  size: "10",
  value: "0",
};

/** Those whose arguments are not a set and options. */
const special: Record<string, string> = {
  constant: "constant(100)",
  divide: 'divide([sum(s("errors", "*")), sum(s("requests", "*"))])',
  group_by: 'group_by("region", sum(s("requests", "*")))',
  map: 'map({host: "*"}, sum(s("requests", {"host":"&"})))',
  s: 's("requests", {"region":"eu-*"}, {function:"sum"})',
  series: 'series("requests", {"region":"eu-*"}, {function:"sum"})',
  subtract: 'subtract([sum(s("requests", "*")), sum(s("errors", "*"))])',
  timeshift: `timeshift("0,1w", sum(${set}))`,
};

/** A call as one would write it. */
export function exampleOf({ name, options }: Known): string {
  const [option] = options;
  return special[name] ?? `${name}(${set}${option && values[option] ? `, {${option}:"${values[option]}"}` : ""})`;
}
