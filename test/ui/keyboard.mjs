// What somebody does who has no mouse: everything is reached by Tab or by a key.
import assert from "node:assert/strict";

const far = 150;

/** Presses a key until this has the focus. */
async function goTo(page, target, key) {
  const reached = target.and(page.locator(":focus"));
  await target.first().waitFor();
  for (let i = 0; i < far; i++) {
    if ((await reached.count()) > 0) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not reach ${target}: the focus is on ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`);
}

export const tabTo = (page, target) => goTo(page, target, "Tab");
export const tabBackTo = (page, target) => goTo(page, target, "Shift+Tab");

export const button = (within, name) => within.getByRole("button", { name, exact: true });

/** Reaches a button, and presses it. */
export async function press(page, name, within = page) {
  await tabTo(page, button(within, name));
  await page.keyboard.press("Enter");
}

/** Opens a menu, and chooses an entry of it. */
export async function choose(page, menu, entry) {
  await tabTo(page, menu);
  await page.keyboard.press("Enter");
  const named = { name: entry, exact: true };
  await goTo(page, page.getByRole("menuitem", named).or(page.getByRole("menuitemcheckbox", named)), "ArrowDown");
  await page.keyboard.press("Enter");
}

/** Reaches a field, and types over what is in it; in a list the letters choose. */
export async function type(page, field, text) {
  await tabTo(page, field);
  if (await field.evaluate((e) => e.tagName === "INPUT")) await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** This has the focus, or has it in a moment. */
export const hasFocus = (page, target) =>
  target.and(page.locator(":focus")).waitFor().catch(async () => assert.fail(`${target} has no focus, but ${await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200))}`));
