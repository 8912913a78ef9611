// An authenticator app: set up on a page, and its codes.
import { createHmac } from "node:crypto";

/** The code of an authenticator app with a seed, some steps from now. */
export function totp(seed, off = 0) {
  const bits = [...seed].map((c) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c).toString(2).padStart(5, "0")).join("");
  const key = Buffer.from(bits.match(/.{8}/g).map((b) => Number.parseInt(b, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + off));
  const sum = createHmac("sha1", key).update(step).digest();
  return String((sum.readUInt32BE(sum[19] & 15) & 0x7fffffff) % 1e6).padStart(6, "0");
}

/** Waits until the code of the step before this one is good for ten seconds. */
async function midStep() {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 10_000) await new Promise((done) => setTimeout(done, left));
}

/** Sets up an app on the page as it is: its seed and the recovery codes. The code is that of the step before, so that the next one is not taken for its repetition. */
export async function setUpApp(page) {
  await page.getByRole("button", { name: "Set up an app" }).click();
  const seed = (await page.locator("code").innerText()).replaceAll(" ", "");
  await midStep();
  await page.getByLabel("Code", { exact: true }).fill(totp(seed, -1));
  await page.getByRole("button", { name: "Turn on" }).click();
  const list = page.getByRole("list", { name: "Recovery codes" });
  await list.waitFor();
  return { seed, codes: await list.getByRole("listitem").allInnerTexts() };
}
