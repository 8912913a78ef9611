import { useSyncExternalStore } from "react";

/** Landscape, as most paper is cut. */
const shape = Math.SQRT2;

/**
 * The paper is as wide as the page is on the screen, and the printer makes it
 * fit: charts are drawn for a size, and nothing draws them again for another.
 * What fills the screen fits on one sheet.
 */
function paperOf(width: number): string {
  const height = Math.max(Math.round(width / shape), window.innerHeight);
  return `@page { size: ${width}px ${height}px; margin: 0 } :root { --tm-screen: ${window.innerHeight}px }`;
}

/** Whether the page is being printed: on paper everything is light. */
let printing = false;
export const isPrinting = () => printing;

/** Brings the page to paper, and back; set when the page starts. */
let set: (on: boolean) => void = () => undefined;
export const toPaper = (on: boolean) => set(on);

/** Letters as large as what they are in: Firefox leaves room for the size that it took them for at first, so it is told. */
function keepSizes(on: boolean): void {
  for (const text of document.querySelectorAll<HTMLElement>("[data-sized]")) {
    const digits = text.querySelector("[data-size]");
    if (on && digits) text.style.setProperty("--size", getComputedStyle(digits).fontSize);
    else text.style.removeProperty("--size");
  }
}

/** Gets the page ready for paper, and back. */
export function startPrint(show: () => void): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  set = (on) => {
    printing = on;
    const main = document.querySelector("main") ?? document.body;
    keepSizes(on);
    sheet.replaceSync(on ? paperOf(main.clientWidth) : "");
    // Firefox prints without what was replaced, and so on paper of another size, unless somebody has asked for it.
    void sheet.cssRules.length;
    // Browsers ask media queries about a sheet of their own: a page of a phone says itself that it is narrow.
    document.documentElement.toggleAttribute("data-narrow", on && window.innerWidth < 768);
    show();
  };
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
  window.addEventListener("keydown", onKey);
}

/** Whether everything is loaded, also what is out of sight. */
let whole = false;
const watchers = new Set<() => void>();

export function loadWhole(on: boolean): void {
  whole = on;
  for (const w of watchers) w();
}

const watch = (listener: () => void) => {
  watchers.add(listener);
  return () => watchers.delete(listener);
};

/** Whether what is out of sight has to be there too, as on paper. */
export const useWhole = (): boolean => useSyncExternalStore(watch, () => whole);

/** Charts that are out of sight, and so may not be loaded. */
export const hidden = new Set<Element>();

export const printPage = () => void import("./printPage").then((m) => m.printPage());

/** The browser's own key prints what is there, which is not all where charts are out of sight. */
function onKey(e: KeyboardEvent): void {
  const isPrint = (e.ctrlKey || e.metaKey) && !e.altKey && !e.shiftKey && e.key.toLowerCase() === "p";
  if (!isPrint || hidden.size === 0) return;
  e.preventDefault();
  printPage();
}
