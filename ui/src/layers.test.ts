import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = import.meta.dirname;
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((f) => /\.tsx?$/.test(f));
const imported = /(?:from|import|import\()\s*"(\.{1,2}\/[^"]+)"/g;

/** The page that a file belongs to, or nothing. */
const pageOf = (file: string) => /^pages\/([^/]+)/.exec(file)?.[1];

/** Every import of a file of ours by another, as [from, to]. */
const arrows = files.flatMap((from) =>
  [...readFileSync(join(root, from), "utf8").matchAll(imported)].map(([, path = ""]): [string, string] => [
    from,
    normalize(join(dirname(from), path)),
  ]),
);

test("pages never import each other", () => {
  expect(arrows.length).toBeGreaterThan(1000);
  expect(arrows.filter(([from, to]) => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))).toEqual([]);
});

test("nothing but the table of pages imports a page", () => {
  const tables = ["routes.tsx", "early.ts"];
  expect(arrows.filter(([from, to]) => !tables.includes(from) && !pageOf(from) && pageOf(to))).toEqual([]);
});
