// Asks whether the looks of a page depend on what was visited before it: files
// of styles come in the order of visits, so of two in one layer neither may
// decide about what the other says of an element (ui/layers.ts).
import assert from "node:assert/strict";

/** Pairs of selectors of different files, in one layer and of equal weight, that give an element different values. Runs in the page. */
function clashes() {
  const states = /(?<!:not\([^)]*):(hover|active|focus|focus-visible|focus-within)(?![\w-])/g;
  const commas = /,(?![^(]*\))/;
  const heavier = (a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

  /** How much a selector weighs: identifiers, classes, elements. */
  function weight(selector) {
    const plain = selector.replace(/"[^"]*"/g, "");
    const list = /:(where|is|not|has)\(((?:[^()]|\([^()]*\))*)\)/;
    const found = list.exec(plain);
    if (found) {
      const rest = weight(plain.replace(list, ""));
      const heaviest = found[1] === "where" ? [0, 0, 0] : found[2].split(commas).map(weight).sort(heavier).at(-1);
      return rest.map((n, i) => n + heaviest[i]);
    }
    const count = (what, text = plain) => text.match(what)?.length ?? 0;
    const elements = plain.replace(/\([^)]*\)|\[[^\]]*\]|[.#:][\w:-]+/g, "");
    return [count(/#[\w-]+/g), count(/\.[\w-]+|\[[^\]]*\]|(?<!:):(?!:)[\w-]+/g), count(/[a-z]\w*/gi, elements) + count(/::[\w-]+/g)];
  }

  /** Every rule of a style sheet of ours that holds at this size, with its layer and the file that its class is of. */
  function* rulesOf(list, layer) {
    for (const rule of list) {
      if (rule instanceof CSSLayerBlockRule) yield* rulesOf(rule.cssRules, rule.name);
      else if (rule instanceof CSSMediaRule) yield* matchMedia(rule.conditionText).matches ? rulesOf(rule.cssRules, layer) : [];
      else if (rule instanceof CSSStyleRule)
        for (const selector of rule.selectorText.split(commas).map((s) => s.trim())) {
          const file = /_([\w-]{5})_\d+(?!.*_\d)/.exec(selector)?.[1];
          if (file) yield { selector, file, layer, style: rule.style };
        }
    }
  }

  /** What rules of equal weight say of each element: for its parts and states, one list. */
  const said = new Map();
  for (const rule of [...document.styleSheets].flatMap((sheet) => [...rulesOf(sheet.cssRules)])) {
    const [, part = ""] = /(::[\w-]+)$/.exec(rule.selector) ?? [];
    const equals = [rule.layer, part, rule.selector.match(states), weight(rule.selector)].join(" ");
    for (const el of document.querySelectorAll(rule.selector.replace(part, "").replace(states, "") || "*")) {
      const lists = said.get(el) ?? new Map();
      said.set(el, lists.set(equals, [...(lists.get(equals) ?? []), rule]));
    }
  }
  const differ = ({ style: a }, { style: b }) => [...a].some((p) => (p === "all" || b.getPropertyValue(p) !== "") && a.getPropertyValue(p) !== b.getPropertyValue(p) && a.getPropertyPriority(p) === b.getPropertyPriority(p));
  const found = new Set();
  for (const lists of said.values())
    for (const rules of lists.values())
      for (const a of rules)
        for (const b of rules) if (a.file !== b.file && differ(a, b)) found.add([a.selector, b.selector].sort().join(" and "));
  return [...found];
}

/** No element of the page looks as it does because one file of styles came before another. */
export async function looksTheSame(page, where) {
  assert.deepEqual(await page.evaluate(clashes), [], `styles of ${where} depend on the order of visits`);
}
