import { pending } from "../api/client";
import { dismiss, toast } from "../toasts/toast";
import { loadWhole, toPaper } from "./print";

/** Frames in which nothing is asked for: what follows from an answer has begun by then. */
const rest = 3;
const frame = () => new Promise((done) => requestAnimationFrame(done));
const coming = "[data-coming], [aria-busy=true], [class*=skeleton]";

/** Whether everything on the page is there. */
const isThere = () => pending() === 0 && !document.querySelector(`main :is(${coming})`);

/** Waits until all is loaded and drawn; false where somebody went elsewhere meanwhile. */
async function drawn(): Promise<boolean> {
  const page = window.location.pathname;
  await document.fonts.ready;
  for (let rested = 0; rested < rest; rested = isThere() ? rested + 1 : 0) {
    await frame();
    if (window.location.pathname !== page) return false;
  }
  return true;
}

/** What ends printing; where a browser refuses to print, whoever goes on working does. */
const ends = ["afterprint", "pointerdown", "keydown"];
const ended = () =>
  new Promise((done) => {
    for (const event of ends) window.addEventListener(event, done, { once: true });
  });

let busy = false;

/**
 * Prints the page with everything on it. Printing does not wait for data, nor
 * for what follows from a change of colours: so both are there before it starts.
 */
export async function printPage(): Promise<void> {
  if (busy) return;
  busy = true;
  toast("Loading all charts to print them…");
  loadWhole(true);
  toPaper(true);
  try {
    const ready = await drawn();
    dismiss();
    if (!ready) return;
    const end = ended();
    window.print();
    await end;
  } finally {
    toPaper(false);
    loadWhole(false);
    busy = false;
  }
}
