// Looks at a page as people who cannot see it, or not well.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { inFirefox } from "./server.mjs";
import { looksTheSame } from "./styles.mjs";

const axe = readFileSync(createRequire(new URL("../../ui/package.json", import.meta.url)).resolve("axe-core/axe.min.js"), "utf8");

/** The rules that a page looked at in one theme can break in the other. */
export const colours = ["color-contrast", "link-in-text-block"];

/** What axe finds in the page; nothing is said where axe itself is not there yet. */
async function look({ rules, part }) {
  if (!("axe" in globalThis)) return undefined;
  // A dialog takes its name from its title one render after it opens.
  const named = (d) => d.ariaLabel || document.getElementById(d.getAttribute("aria-labelledby"));
  while (![...document.querySelectorAll('[role="dialog"]')].every(named)) await new Promise(requestAnimationFrame);
  // Nothing plays and nothing is framed: there is nothing to load or to look into first.
  const options = { resultTypes: ["violations"], preload: false, iframes: false, ...(rules && { runOnly: rules }) };
  return (await axe.run(part ?? document, options)).violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).slice(0, 4).join(", ")}`);
}

/** By all rules in one theme, and by those of colours in the other. */
export async function accessibleInBoth(page, where, part) {
  if (inFirefox) return; // which the driver cannot make dark
  for (const [scheme, rules] of [["light", undefined], ["dark", colours]]) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.locator(`html[data-scheme="${scheme}"]`).waitFor({ state: "attached" });
    await accessible(page, `${where}, ${scheme}`, rules, part);
  }
}

/** No finding of axe on the page as it is, or on a part of it, by all rules or by some. */
export async function accessible(page, where, rules, part) {
  if (inFirefox) return; // it reads the same document in every browser
  let found = await page.evaluate(look, { rules, part });
  if (!found) {
    // The policy allows no injected script tags; what the driver evaluates is outside of it.
    await page.evaluate(axe);
    found = await page.evaluate(look, { rules, part });
  }
  assert.deepEqual(found, [], `axe on ${where}`);
  if (!rules && !part) await looksTheSame(page, where);
}
