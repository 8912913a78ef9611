import { isPrinting, startPrint } from "./print";

/** Light or dark: what somebody chose on this device, else what the system says. */
export type Choice = "auto" | "light" | "dark";

const key = "tidemark.scheme";
const attribute = "data-scheme";
const watchers = new Set<() => void>();
const system = typeof matchMedia === "undefined" ? undefined : matchMedia("(prefers-color-scheme: dark)");

const isChoice = (v: string | null): v is Choice => v === "auto" || v === "light" || v === "dark";

type Shown = "light" | "dark";
// Every line of every chart asks, and what the browser keeps is slow to read.
let shown: Shown | undefined;

export const scheme = {
  choice(): Choice {
    const kept = localStorage.getItem(key);
    return isChoice(kept) ? kept : "auto";
  },
  current(): Shown {
    shown ??= look();
    return shown;
  },
  choose(choice: Choice): void {
    localStorage.setItem(key, choice);
    show();
  },
  watch(listener: () => void): () => void {
    watchers.add(listener);
    return () => watchers.delete(listener);
  },
};

function look(): Shown {
  if (isPrinting()) return "light";
  const choice = scheme.choice();
  return choice === "auto" ? (system?.matches ? "dark" : "light") : choice;
}

function show(): void {
  shown = look();
  document.documentElement.setAttribute(attribute, scheme.current());
  for (const listener of watchers) listener();
}

/** Shows the page in it from now on, also when the system or another tab changes. */
export function startScheme(): void {
  show();
  startPrint(show);
  system?.addEventListener("change", show);
  window.addEventListener("storage", (e) => e.key === key && show());
}
