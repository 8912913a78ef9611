import { relative } from "node:path";
import type { Plugin } from "vite";

/**
 * Pages bring their styles when they are visited, so the order in which files
 * come says nothing. What wins is the layer, which is said by the folder; of
 * two layers the later one wins, whatever their selectors are.
 */
const layers: [name: string, holds: RegExp][] = [
  ["base", /^src\/styles\/|node_modules\//],
  // What other components are made of.
  ["controls", /^src\/components\/(Button|controls|fields|Panel|table)\./],
  ["components", /^src\/components\//],
  ["charts", /^src\/chart\//],
  // What pages have in common, and of one page's styles those that are there to be put beside others.
  ["parts", /^src\/(?!pages\/)\w+\/|^src\/pages\/alerts\/(pillsAndLinks|Swipe)\./],
  ["pages", /^src\/pages\/\w+\/[\w.]+$/],
  // What a folder of a page has of its own.
  ["details", /^src\/pages\/\w+\/\w+\//],
];

/** The layer of a file, by its path from this folder. */
export const layerOf = (path: string): string | undefined => layers.find(([, holds]) => holds.test(path))?.[0];

/** Puts every style sheet into its layer. Each names them all, as the one that is loaded first decides on their order. */
export const layered: Plugin = {
  name: "layers",
  enforce: "pre",
  transform: {
    filter: { id: /^[^?]+\.css$/ },
    handler(code, id) {
      const layer = layerOf(relative(import.meta.dirname, id));
      if (!layer) this.error(`${id} is in no layer`);
      return { code: `@layer ${layers.map(([name]) => name)};\n@layer ${layer} {${code}}`, map: null };
    },
  },
};
