/** What can be completed at a place in an expression. */
export type Context =
  | { kind: "metric"; from: number; text: string }
  | { kind: "tag"; from: number; text: string; metric: string; quoted: boolean }
  | { kind: "value"; from: number; text: string; metric: string; tag: string }
  | { kind: "function"; from: number; text: string }
  | { kind: "option"; from: number; text: string; fn: string }
  | undefined;

type Open = { fn: string; args: number; strings: string[]; map?: { key: string; afterColon: boolean } };

/**
 * Reads an expression up to the cursor and says what is being written there.
 * It is forgiving: what comes before may be half finished.
 */
export function contextAt(text: string, pos: number): Context {
  const stack: Open[] = [];
  let i = 0;
  let word = -1;
  const top = () => stack[stack.length - 1];
  while (i < pos) {
    const c = text[i] ?? "";
    if (c === '"' || c === "'") {
      const end = closing(text, i, pos);
      if (end < 0) return inString(top(), text.slice(i + 1, pos), i + 1);
      noteString(top(), text.slice(i + 1, end));
      i = end + 1;
      word = -1;
      continue;
    }
    if (/[a-z_]/i.test(c)) {
      if (word < 0) word = i;
    } else {
      const name = word >= 0 ? text.slice(word, i) : "";
      word = -1;
      step(stack, c, name);
    }
    i++;
  }
  const from = word >= 0 ? word : pos;
  const open = top();
  if (open?.map) return open.map.afterColon ? undefined : inMap(open, text.slice(from, pos), from);
  return { kind: "function", from, text: text.slice(from, pos) };
}

function closing(text: string, at: number, limit: number): number {
  const end = text.indexOf(text[at] ?? '"', at + 1);
  return end >= 0 && end < limit ? end : -1;
}

function step(stack: Open[], c: string, name: string): void {
  const open = stack[stack.length - 1];
  if (c === "(") stack.push({ fn: name, args: 0, strings: [] });
  else if (c === ")") stack.pop();
  else if (c === "{" && open) open.map = { key: "", afterColon: false };
  else if (c === "}" && open) delete open.map;
  else if (c === ":" && open?.map) {
    open.map.afterColon = true;
    if (name) open.map.key = name;
  } else if (c === "," && open) {
    if (open.map) open.map.afterColon = false;
    else open.args++;
  }
}

function noteString(open: Open | undefined, s: string): void {
  if (!open) return;
  if (!open.map) open.strings.push(s);
  else if (!open.map.afterColon) open.map.key = s;
}

const isSeries = (fn: string) => fn === "s" || fn === "series";

function inString(open: Open | undefined, text: string, from: number): Context {
  if (!open) return undefined;
  if (open.map) {
    if (!isSeries(open.fn) || open.args > 1) return undefined;
    const metric = open.strings[0] ?? "";
    return open.map.afterColon
      ? { kind: "value", from, text, metric, tag: open.map.key }
      : { kind: "tag", from, text, metric, quoted: true };
  }
  if (isSeries(open.fn) && open.args === 0) return { kind: "metric", from, text };
  if (open.fn === "group_by" && open.args === 0) {
    const comma = text.lastIndexOf(",") + 1;
    return { kind: "tag", from: from + comma, text: text.slice(comma), metric: "", quoted: true };
  }
  return undefined;
}

function inMap(open: Open, text: string, from: number): Context {
  if (isSeries(open.fn) && open.args === 1)
    return { kind: "tag", from, text, metric: open.strings[0] ?? "", quoted: false };
  return { kind: "option", from, text, fn: open.fn };
}

/** The options that functions take in their braces. */
export const optionsOf: Record<string, string[]> = {
  s: ["function", "period", "group"],
  series: ["function", "period", "group"],
  scale: ["factor"],
  derive: ["detect_reset"],
  rate: ["duration"],
  window: ["size", "function"],
  moving_average: ["size"],
  fill: ["value"],
  top: ["count", "function"],
  bottom: ["count", "function"],
  filter: ["gt", "lt", "gte", "lte", "function"],
};

/** The line of a place, counted from 1. */
export const lineOf = (text: string, offset: number) => text.slice(0, offset).split("\n").length;
