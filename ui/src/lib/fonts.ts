import { whenQuiet } from "./whenQuiet";

/** Where scripts took longer, in milliseconds, the fonts would keep what is drawn and its data waiting. */
const slow = 2_000;

/** On a slow line a page is shown with fonts of the system, and gets its own after its data. */
export function startFonts(): void {
  if (performance.now() < slow) return;
  const { dataset } = document.documentElement;
  dataset.fonts = "later";
  whenQuiet(() => delete dataset.fonts);
}
