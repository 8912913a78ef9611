import { Prose } from "../components/Prose";
import { EmptyPanel } from "./EmptyPanel";
import classes from "./Panels.module.css";
import type { PanelProps } from "./PanelView";

/** What people wrote beside the charts. */
export function TextPanel({ chart }: PanelProps) {
  const text = chart.attributes?.text?.trim();
  if (!text) return <EmptyPanel>Nothing is written here yet.</EmptyPanel>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: long texts are scrolled by keys
    <div className={classes.text} tabIndex={0} role="group" aria-label={chart.name || "Text"}>
      <Prose text={text} />
    </div>
  );
}
