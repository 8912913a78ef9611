import { whole } from "../lib/format";
/** A call of a function that needs exactly two series, with its arguments. */
export type Pair = { fn: string; parts: { text: string; from: number; to: number }[] };

const needTwo = ["divide", "subtract"];

/** The first such call of an expression, if it names its series one by one. */
export function pairIn(text: string): Pair | undefined {
  const found = new RegExp(`\\b(${needTwo.join("|")})\\s*\\(\\s*\\[`).exec(text);
  const fn = found?.[1];
  if (!found || !fn) return undefined;
  const parts: Pair["parts"] = [];
  let depth = 0;
  let from = found.index + found[0].length;
  for (let i = from; i < text.length; i++) {
    const c = text[i] ?? "";
    if (c === '"' || c === "'") {
      const end = text.indexOf(c, i + 1);
      if (end < 0) return undefined;
      i = end;
    } else if ("([{".includes(c)) depth++;
    else if (depth === 0 && (c === "," || c === "]")) {
      parts.push(trimmed(text, from, i));
      if (c === "]") return { fn, parts };
      from = i + 1;
    } else if (")]}".includes(c)) depth--;
  }
  return undefined;
}

function trimmed(text: string, from: number, to: number): Pair["parts"][number] {
  let [a, b] = [from, to];
  while (a < b && /\s/.test(text[a] ?? "")) a++;
  while (b > a && /\s/.test(text[b - 1] ?? "")) b--;
  return { text: text.slice(a, b), from: a, to: b };
}

export type Why = { text: string; fix?: { label: string; apply: (text: string) => string } };

const ordinals = ["first", "second"];

/** Why a call returned nothing, given how many series each of its arguments has. */
export function whyEmpty({ fn, parts }: Pair, counts: number[]): Why | undefined {
  const all = counts.reduce((a, b) => a + b, 0);
  if (all === 2) return undefined;
  const text = `No points. ${fn}() got ${all === 0 ? "no" : whole(all)} series, so it returns nothing.`;
  const many = counts.findIndex((n) => n > 1);
  const part = parts[many];
  if (parts.length !== 2 || !part || counts.filter((n) => n !== 1).length !== 1) return { text };
  return {
    text,
    fix: {
      label: `Wrap the ${ordinals[many]} in sum()`,
      apply: (now) => `${now.slice(0, part.from)}sum(${part.text})${now.slice(part.to)}`,
    },
  };
}

/** The metrics that an expression names, without patterns. */
export function metricsIn(text: string): string[] {
  const named = [...text.matchAll(/\b(?:s|series)\(\s*(["'])([^"']+)\1/g)].map(([, , name = ""]) => name);
  return [...new Set(named)].filter((name) => !/[*%&]/.test(name));
}

/** What to say of a metric that does not exist, with the one that was probably meant. */
export function noMetric(name: string, meant?: string): Why {
  const text = `There is no metric ${name}.${meant ? " Did you mean" : ""}`;
  return meant ? { text, fix: { label: meant, apply: (now) => now.replaceAll(name, meant) } } : { text };
}
