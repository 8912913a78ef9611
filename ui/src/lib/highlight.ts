/** A piece of code and what it is: a colour of its own, or none. */
export type Piece = { text: string; kind?: "fn" | "string" | "key" | "punct" | "number" };

const rules: [Piece["kind"], RegExp][] = [
  ["punct", /^(?:#|\/\/)[^\n]*/],
  ["string", /^'[^'\n]*'|^"[^"\n]*"/],
  ["string", /^(?:tmk_\w+|YOUR_TOKEN):?/],
  ["fn", /^\[\[[^\]\n]+\]\]/],
  ["fn", /^(?:curl|require|import|export)\b/],
  ["key", /^[A-Za-z_]\w*(?=\s*(?:=(?!>)|:(?!\/\/|:|=)))/],
  ["number", /^\b\d+(?:\.\d+)?\b/],
];

/**
 * Colours for the few languages of the snippets, by what they have in common.
 * It never loses a character: the pieces together are the code.
 */
export function highlight(code: string): Piece[] {
  const pieces: Piece[] = [];
  let plain = "";
  const flush = () => {
    if (plain) pieces.push({ text: plain });
    plain = "";
  };
  for (let i = 0; i < code.length; ) {
    const rest = code.slice(i);
    const before = code[i - 1] ?? " ";
    const hit = /\w/.test(before) ? undefined : first(rest, /\s/.test(before));
    if (hit) {
      flush();
      pieces.push(hit);
      i += hit.text.length;
    } else {
      plain += code[i];
      i++;
    }
  }
  flush();
  return pieces;
}

function first(rest: string, afterSpace: boolean): Piece | undefined {
  for (const [kind, rule] of rules) {
    if ((kind === "punct" || kind === "number") && !afterSpace) continue; // parts of an address are no comments, and no numbers
    const text = rule.exec(rest)?.[0];
    if (text) return kind ? { text, kind } : { text };
  }
  return undefined;
}
