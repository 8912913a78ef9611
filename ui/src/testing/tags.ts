import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** Every file of ours with components, by its path from src. */
export const sources: { file: string; text: string }[] = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((f) => f.endsWith(".tsx") && !f.endsWith(".test.tsx"))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** From an opening brace to the one that closes it, or to the first > outside of braces. */
function until(text: string, from: number, ends: (char: string, depth: number) => boolean): string {
  let depth = 0;
  for (let i = from; i < text.length; i++) {
    const char = text[i] ?? "";
    if (char === "{") depth++;
    if (char === "}") depth--;
    if (ends(char, depth)) return text.slice(from, i);
  }
  return text.slice(from);
}

/** What stands in the tags of this name, or of any; a > inside braces is no end of one. */
export const tags = (text: string, name = "[A-Za-z][\\w.]*"): string[] =>
  [...text.matchAll(new RegExp(`<${name}(?=[\\s/>])`, "g"))].map(({ index }) =>
    until(text, index, (char, depth) => char === ">" && depth === 0),
  );

/** What an attribute of a tag is, without the braces around it; those of tags within it are not meant. */
export function attribute(tag: string, name: string): string | undefined {
  for (let i = tag.indexOf("{"); i >= 0; i = tag.indexOf("{", i + 1)) {
    const text = until(tag, i, (_, depth) => depth === 0).slice(1);
    if (tag.slice(0, i).endsWith(` ${name}=`)) return text;
    i += text.length;
  }
  return undefined;
}
