/** A linear formula in x (the value) and p (the period in seconds), or nothing if it cannot be read. */
export type Transform = (x: number, p: number) => number;

export function parseTransform(text: string): Transform | undefined {
  const tokens = text.match(/\d+(?:\.\d+)?|\.\d+|[xp()+\-*/]|\S/g) ?? [];
  let at = 0;
  const next = () => tokens[at];

  function atom(): Transform | undefined {
    const t = tokens[at++];
    if (t === undefined) return undefined;
    if (t === "x") return (x) => x;
    if (t === "p") return (_, p) => p;
    if (t === "-") {
      const inner = atom();
      return inner && ((x, p) => -inner(x, p));
    }
    if (t === "(") {
      const inner = sum();
      return tokens[at++] === ")" ? inner : undefined;
    }
    return /^[\d.]/.test(t) ? () => Number(t) : undefined;
  }
  function chain(ops: string, part: () => Transform | undefined): Transform | undefined {
    let left = part();
    while (left && next() !== undefined && ops.includes(next() ?? "")) {
      const op = tokens[at++];
      const [l, r] = [left, part()];
      if (!r) return undefined;
      left = (x, p) => {
        const [a, b] = [l(x, p), r(x, p)];
        return op === "+" ? a + b : op === "-" ? a - b : op === "*" ? a * b : a / b;
      };
    }
    return left;
  }
  const product = () => chain("*/", atom);
  const sum = (): Transform | undefined => chain("+-", product);

  const f = sum();
  return at === tokens.length ? f : undefined;
}
