import { tokens } from "../../api/tokens";

const name = "first-steps";
const overlap = 86_400;

/**
 * The value of a Record Only token for the first steps, kept for as long as
 * the tab is open, so that a reload shows what was already copied. Whoever
 * comes from elsewhere finds that the token exists, and makes a new value only
 * if they ask for it: a page that is looked at changes nothing.
 */
export type FirstSteps = { value?: string; exists?: boolean };

const key = (org: number) => `tidemark.first-steps.${org}`;
let making: { org: number; done: Promise<FirstSteps> } | undefined;

export function firstSteps(org: number): Promise<FirstSteps> {
  if (making?.org !== org) {
    const done = make(org);
    making = { org, done };
    done.catch(() => {
      making = undefined;
    });
  }
  return making.done;
}

/** A new value for the token that exists; the old one works on for a day. */
export async function renewFirstSteps(org: number): Promise<FirstSteps> {
  const old = await find();
  const fresh = old ? await tokens.rotate({ id: old.id, overlap }) : await tokens.create({ name, role: "recorder" });
  const done = keep(org, fresh);
  making = { org, done: Promise.resolve(done) };
  return done;
}

async function find() {
  const list = await tokens.all();
  return list.find((t) => t.name === name && t.active && t.role === "recorder");
}

async function make(org: number): Promise<FirstSteps> {
  const old = await find();
  if (!old) return keep(org, await tokens.create({ name, role: "recorder" }));
  const kept = sessionStorage.getItem(key(org));
  return kept?.endsWith(old.last4) ? { value: kept } : { exists: true };
}

function keep(org: number, fresh: { token: string }): FirstSteps {
  sessionStorage.setItem(key(org), fresh.token);
  return { value: fresh.token };
}
