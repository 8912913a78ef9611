// All journeys in two processes, one for each core, instead of one for each
// file: a process has to load the driver and start a browser before its first
// journey, which takes longer than most journeys do.
import { readdirSync } from "node:fs";

const here = new URL("./", import.meta.url);
const files = readdirSync(here).filter((name) => name.endsWith(".test.mjs")).sort();
// Every page in every size takes as long as a third of the others together.
const longest = "access.test.mjs";

/** Loads the files of the first process, or all others. */
export async function load(first) {
  const others = files.filter((name) => name !== longest);
  const names = first ? [longest, ...others.filter((_, i) => i % 3 === 0)] : others.filter((_, i) => i % 3 !== 0);
  for (const name of names) await import(new URL(name, here).href);
}
