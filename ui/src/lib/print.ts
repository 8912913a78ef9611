/** Landscape, as most paper is cut. */
const shape = Math.SQRT2;

/**
 * The paper is as wide as the page is on the screen, and the printer makes it
 * fit: charts are drawn for a width, and nothing draws them again for another.
 */
const paperOf = (width: number) => `@page { size: ${width}px ${Math.round(width / shape)}px; margin: 0 }`;

/** Whether the page is being printed: on paper everything is light. */
let printing = false;
export const isPrinting = () => printing;

/** Gets the page ready for paper, and back. */
export function startPrint(show: () => void): void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const set = (on: boolean) => {
    printing = on;
    const main = document.querySelector("main") ?? document.body;
    sheet.replaceSync(on ? paperOf(main.clientWidth) : "");
    show();
  };
  window.addEventListener("beforeprint", () => set(true));
  window.addEventListener("afterprint", () => set(false));
}
