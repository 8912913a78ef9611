import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

test("what a page says of its cells wins over what all tables have, in whatever order the files are loaded", () => {
  const css = readFileSync(join(import.meta.dirname, "table.module.css"), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  const cells = [...css.matchAll(/([^{};]+)\{/g)]
    .flatMap(([, list = ""]) => list.split(",\n"))
    .map((s) => s.trim())
    .filter((s) => /\b(td|th)\b/.test(s) && !s.includes("[data-"));
  expect(cells.length).toBeGreaterThan(6);
  expect(cells.filter((s) => !/^:where\([^)]*\)$/.test(s))).toEqual([]);
});
