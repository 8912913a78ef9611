import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { layerOf } from "../layers";
import { attribute, sources, tags } from "./testing/tags";

const root = import.meta.dirname;
const sheets = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((f) => f.endsWith(".css"));
const layer = (sheet: string) => layerOf(`src/${sheet}`);

test("every style sheet has a layer", () => {
  expect(sheets.length).toBeGreaterThan(70);
  expect(sheets.filter((f) => !layer(f))).toEqual([]);
});

test("no style sheet has another in it: it would be in two layers", () => {
  const borrows = (f: string) => /composes:[^;]* from "|@import/.test(readFileSync(join(root, f), "utf8"));
  expect(sheets.filter(borrows)).toEqual([]);
});

/** What a file imports from a file of ours, by the name it has there. */
function imports(file: string, text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, names = "", path = ""] of text.matchAll(/^import ([^"]*?) from "(\.[^"]+)";/gm))
    for (const name of names.match(/\w+/g) ?? []) found.set(name, normalize(join(dirname(file), path)));
  return found;
}

const all = new Map(sources.map(({ file, text }) => [file.replace(/\.tsx$/, ""), imports(file, text)]));
const isSheet = (path: string) => path.endsWith(".module.css");

/** The style sheets whose classes an element has: those it is given, and those of the component that it is. */
function sheetsOf(tag: string, known: Map<string, string>): string[] {
  const given = attribute(tag, "className") ?? "";
  const own = [...known].filter(([name, path]) => isSheet(path) && new RegExp(`\\b${name}\\.`).test(given));
  const component = all.get(known.get(/^<(\w+)/.exec(tag)?.[1] ?? "") ?? "");
  const theirs = own.length > 0 ? [...(component?.values() ?? [])].filter(isSheet) : [];
  return [...new Set([...own.map(([, path]) => path), ...theirs])];
}

test("no element has classes of two style sheets of one layer: which wins would depend on what was visited before", () => {
  const mixed = sources.flatMap(({ file, text }) =>
    tags(text)
      .map((tag) => sheetsOf(tag, all.get(file.replace(/\.tsx$/, "")) ?? new Map()))
      .filter((of) => new Set(of.map(layer)).size < of.length)
      .map((of) => `${file}: ${of.join(", ")}`),
  );
  expect([...new Set(mixed)]).toEqual([]);
});
