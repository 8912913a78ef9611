import { tokens } from "../../api/tokens";

const name = "first-steps";
const overlap = 86_400;

let made: { org: number; value: Promise<string> } | undefined;

/**
 * The value of a Record Only token for the first steps. It is kept for as long
 * as the page is open, nowhere else; whoever comes back gets a new value, and
 * what was already copied works on for a day.
 */
export function firstSteps(org: number): Promise<string> {
  if (made?.org !== org) {
    const value = make();
    made = { org, value };
    value.catch(() => {
      made = undefined;
    });
  }
  return made.value;
}

async function make(): Promise<string> {
  const list = await tokens.list.queryFn?.({ signal: new AbortController().signal } as never);
  const old = list?.find((t) => t.name === name && t.active && t.role === "recorder");
  const fresh = old ? await tokens.rotate({ id: old.id, overlap }) : await tokens.create({ name, role: "recorder" });
  return fresh.token;
}
