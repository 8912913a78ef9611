// Prints what the first load of a space costs: gzip, scripts and styles.
// Fails above the budget of 200 KB.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const budget = 200;
const dist = fileURLToPath(new URL("../dist", import.meta.url));
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
const size = (file) => statSync(join(dist, `${file}.gz`)).size / 1024;

/** An entry with everything it needs before it can run. */
function closure(keys) {
  const seen = new Set();
  const files = new Set();
  const visit = (key) => {
    if (seen.has(key)) return;
    seen.add(key);
    const chunk = manifest[key];
    files.add(chunk.file);
    for (const css of chunk.css ?? []) files.add(css);
    for (const next of chunk.imports ?? []) visit(next);
  };
  keys.forEach(visit);
  return [...files];
}

const pages = {
  "any page": ["index.html"],
  // What draws is asked for after what asks for data, and counts all the same.
  "space (first load)": ["index.html", "src/pages/space/SpacePage.tsx", "src/chart/LineView.tsx"],
  "+ chart editor": ["index.html", "src/pages/chart/ChartEditorPage.tsx"],
  "+ alerts": ["index.html", "src/pages/alerts/AlertsPage.tsx"],
  "+ API tokens": ["index.html", "src/pages/settings/SettingsLayout.tsx", "src/pages/settings/tokens/TokensPage.tsx"],
};
let over = false;
for (const [name, keys] of Object.entries(pages)) {
  const total = closure(keys).reduce((sum, f) => sum + size(f), 0);
  const counts = name.includes("first load");
  if (counts && total > budget) over = true;
  console.log(`${name.padEnd(22)} ${total.toFixed(1).padStart(7)} KB gzip${counts ? `  (budget ${budget})` : ""}`);
}
if (process.argv.includes("-v")) {
  for (const f of closure(pages["space (first load)"])) console.log(`  ${size(f).toFixed(1).padStart(7)}  ${f}`);
}
process.exit(over ? 1 : 0);
