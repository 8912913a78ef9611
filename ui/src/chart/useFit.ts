import { type RefObject, useLayoutEffect, useState } from "react";
import { gapBetween, twoRows } from "./fit";

/** So many always fit, and are not measured. */
const few = 2;
/** So many are measured; more never fit. */
const most = 40;

/** How many names of a legend fit into its two lines; the others are behind "+ 9". */
export function useFit(box: RefObject<HTMLElement | null>, names: string, n: number): number {
  const [found, setFound] = useState({ names: "", fit: 0 });
  useLayoutEffect(() => {
    const el = box.current;
    if (!el || n <= few) return;
    // All of them are in the page now: this text of names was not measured before.
    const widths = [...el.querySelectorAll<HTMLElement>("[data-legend]")].map(
      (e) => (e.closest<HTMLElement>("[data-entry]") ?? e).offsetWidth,
    );
    const note = el.querySelector<HTMLElement>("[data-note]");
    const extra = note ? note.offsetWidth + gapBetween : 0;
    const place = () => setFound({ names, fit: twoRows(widths, n, el.clientWidth, extra) });
    place();
    const observer = new ResizeObserver(place);
    observer.observe(el);
    return () => observer.disconnect();
  }, [box, names, n]);
  if (n <= few) return n;
  return found.names === names ? found.fit : Math.min(n, most);
}
