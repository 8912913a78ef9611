import type { ChartViewProps } from "../chart/ChartView";
import type { Line } from "../chart/data";
import { kindOf } from "../chart/kind";
import type { Past } from "../chart/past";
import { AlertsPanel } from "./AlertsPanel";
import { EventsPanel } from "./EventsPanel";
import { GaugePanel } from "./GaugePanel";
import { HeatmapPanel } from "./HeatmapPanel";
import classes from "./Panels.module.css";
import { RepeatPanel } from "./RepeatPanel";
import { TablePanel } from "./TablePanel";
import { TextPanel } from "./TextPanel";

/** What is drawn of a chart, its lines, and what they were then. */
export type PanelProps = ChartViewProps & { lines: Line[]; then: Past | undefined };

const panels: { [kind: string]: (p: PanelProps) => React.ReactNode } = {
  text: TextPanel,
  table: TablePanel,
  alerts: AlertsPanel,
  events: EventsPanel,
  gauge: GaugePanel,
  heatmap: HeatmapPanel,
};

/** Charts that are no lines. Each fills its parent. */
export default function PanelView(props: PanelProps) {
  const Panel = props.chart.attributes?.repeat ? RepeatPanel : panels[kindOf(props.chart)];
  return (
    <div
      className={classes.panel}
      data-large={props.large || undefined}
      data-faded={props.faded || props.error ? true : undefined}
    >
      {Panel && <Panel {...props} />}
    </div>
  );
}
