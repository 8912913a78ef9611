import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".tsx"));

/** What stands in the tags of a source's forms; a > inside braces is no end of one. */
function formTags(source: string): string[] {
  return [...source.matchAll(/<form\b/g)].map(({ index }) => {
    let depth = 0;
    for (let i = index; i < source.length; i++) {
      if (source[i] === "{") depth++;
      if (source[i] === "}") depth--;
      if (source[i] === ">" && depth === 0) return source.slice(index, i);
    }
    return source.slice(index);
  });
}

test("forms say what is wrong at their fields: the browser's own bubbles are off", () => {
  const forms = files.flatMap((file) => formTags(readFileSync(join(root, file), "utf8")).map((tag) => ({ file, tag })));
  expect(forms.length).toBeGreaterThan(30);
  const bubbles = forms.filter(({ tag }) => !/\bnoValidate\b/.test(tag));
  expect(bubbles.map(({ file }) => file)).toEqual([]);
});
