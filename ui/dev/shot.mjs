// Takes pictures of pages of the development server, to hold beside the design:
//   node dev/shot.mjs out-folder name=/path[#dark][#phone] ...
import { chromium } from "playwright-core";

const [out, ...wanted] = process.argv.slice(2);
const base = process.env.BASE ?? "http://127.0.0.1:5273";
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium" });
for (const want of wanted) {
  const [name, rest] = [want.slice(0, want.indexOf("=")), want.slice(want.indexOf("=") + 1)];
  const [path, ...marks] = rest.split("#");
  const phone = marks.includes("phone");
  const context = await browser.newContext({
    viewport: phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    deviceScaleFactor: 1,
    colorScheme: marks.includes("dark") ? "dark" : "light",
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    hasTouch: phone,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  page.on("console", (m) => m.type() === "error" && console.log(`${name}: ${m.text()}`));
  page.on("pageerror", (e) => console.log(`${name}: ${e.message}`));
  await page.goto(base + path);
  await page.waitForTimeout(Number(process.env.WAIT ?? 1500));
  for (const m of marks) {
    if (m.startsWith("click:")) await page.click(m.slice(6));
    if (m.startsWith("key:")) await page.keyboard.press(m.slice(4));
    if (m.startsWith("type:")) await page.keyboard.type(m.slice(5));
    if (m.startsWith("hover:")) {
      const target = page.locator(m.slice(6)).first();
      await target.waitFor();
      const box = await target.boundingBox();
      await page.mouse.move(box.x + box.width * 0.55, box.y + box.height * 0.4);
    }
    if (m.includes(":")) await page.waitForTimeout(500);
  }
  await page.screenshot({ path: `${out}/${name}.png` });
  await context.close();
}
await browser.close();
