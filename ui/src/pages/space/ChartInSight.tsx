import { useEffect } from "react";

const shownFor = 3_000;

/** Scrolls to a chart as soon as it is there, and marks it for a moment. */
export default function ChartInSight({ chart }: { chart: number }) {
  useEffect(() => {
    let timer = 0;
    const look = () => {
      const card = document.querySelector<HTMLElement>(`article[data-chart="${chart}"]`);
      if (!card) return;
      watch.disconnect();
      card.scrollIntoView({ block: "center" });
      card.tabIndex = -1;
      card.focus({ preventScroll: true });
      card.dataset.found = "";
      timer = window.setTimeout(() => delete card.dataset.found, shownFor);
    };
    const watch = new MutationObserver(look);
    watch.observe(document.body, { childList: true, subtree: true });
    look();
    return () => {
      watch.disconnect();
      window.clearTimeout(timer);
    };
  }, [chart]);
  return null;
}
