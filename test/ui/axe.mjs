// Looks at a page as people who cannot see it, or not well.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inFirefox } from "./server.mjs";

const axe = readFileSync(createRequire(new URL("../../ui/package.json", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");

/** A dialog takes its name from its title one render after it opens. */
const named = () =>
  [...document.querySelectorAll('[role="dialog"]')].every((d) => d.ariaLabel || document.getElementById(d.getAttribute("aria-labelledby")));

/** The rules that a page looked at in one theme can break in the other. */
export const colours = ["color-contrast", "link-in-text-block"];

/** No finding of axe on the page as it is, or on a part of it, by all rules or by some. */
export async function accessible(page, where, rules, part) {
  if (inFirefox) return; // it reads the same document in every browser
  // The policy allows no injected script tags; what the driver evaluates is outside of it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  await page.waitForFunction(named);
  const look = async ({ rules, part }) => (await axe.run(part ?? document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) })).violations;
  const found = await page.evaluate(look, { rules, part });
  const bad = found.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 4).join(", ")}`);
  assert.deepEqual(bad, [], `axe on ${where}`);
}
