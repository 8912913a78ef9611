import { EmptyPanel } from "./EmptyPanel";
import type { PanelProps } from "./PanelView";

const usual = "No data for these tags in this range";

/** What a panel without lines says: nothing while they are on their way. */
export function NoData({ chart, loaded, error, wait, empty, words = usual }: PanelProps & { words?: string }) {
  if (!loaded || error || wait?.stopped) return null;
  const hidden = chart.streams.length > 0 && chart.streams.every((s) => s.hidden);
  return (
    <EmptyPanel>
      <p>{hidden ? "Every stream of this chart is hidden" : words}</p>
      {!hidden && empty}
    </EmptyPanel>
  );
}
