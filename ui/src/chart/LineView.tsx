import { useMemo, useRef, useState } from "react";
import { ChartState, type ChartStateProps } from "./ChartState";
import type { ChartViewProps } from "./ChartView";
import classes from "./ChartView.module.css";
import { Coming } from "./Coming";
import type { Line } from "./data";
import { Legend, type LegendHandle } from "./Legend";
import { Lines, type LinesProps } from "./Lines";
import type { Kind } from "./options";
import type { Past } from "./past";
import { useEscape } from "./useEscape";
import { useLevel } from "./useLevel";

type Props = ChartViewProps & {
  kind: Kind;
  lines: Line[];
  /** What they were at another time. */
  then: Past | undefined;
  state: ChartStateProps;
};

/** A chart of lines, a stack or bars, with its legend. */
export function LineView(props: Props) {
  const { chart, loaded, incomplete, events, legend = true, kind, lines: drawn, then: past } = props;
  const level = useLevel(chart, drawn, loaded, past, incomplete);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const names = useRef<LegendHandle>(null);
  useEscape(isolated.size > 0, () => setIsolated(new Set()));
  const left = useMemo(
    () => ({ min: chart.min, max: chart.max, log: chart.use_log_yaxis, fit: chart.type === "line" }),
    [chart.min, chart.max, chart.use_log_yaxis, chart.type],
  );
  const own = useMemo(() => {
    const right = chart.streams.find((s) => s.split_axis);
    return { min: right?.min, max: right?.max, fit: chart.type === "line" };
  }, [chart.streams, chart.type]);
  const nothing = loaded && drawn.length === 0 && !props.error && !props.wait?.stopped;
  const hidden = chart.streams.length > 0 && chart.streams.every((s) => s.hidden);
  return (
    <div className={classes.view} data-large={props.large || undefined}>
      <div className={classes.plot} data-faded={props.error ? "error" : props.faded || undefined}>
        {loaded ? (
          <Lines
            title={chart.name || "Chart"}
            rangeLabel={props.rangeLabel}
            kind={kind}
            lines={drawn}
            window={loaded.window}
            left={left}
            right={own}
            {...(events && { events })}
            // A bar that is being filled is faint as a whole.
            incomplete={incomplete && kind !== "bar"}
            isolated={isolated}
            focused={focused}
            level={level}
            onCursor={(idx) => names.current?.show(idx)}
            {...pick(props)}
          />
        ) : (
          <Coming />
        )}
        {nothing && (
          <div className={classes.nothing}>
            <p>{hidden ? "Every stream of this chart is hidden" : "No data for these tags in this range"}</p>
            {!hidden && props.empty}
          </div>
        )}
        <ChartState {...props.state} />
      </div>
      {legend && (
        <Legend
          ref={names}
          lines={drawn}
          past={past}
          window={loaded?.window}
          links={chart.attributes?.links}
          square={kind !== "line"}
          incomplete={incomplete}
          isolated={isolated}
          onIsolate={setIsolated}
          onFocus={setFocused}
        />
      )}
    </div>
  );
}

function pick(p: ChartViewProps): Partial<LinesProps> {
  const { onZoom, onPan, onZoomOut, onOpen, onAnnotate, onEvent, onBrush, brush, syncKey, large, readout } = p;
  const given = { onZoom, onPan, onZoomOut, onOpen, onAnnotate, onEvent, onBrush, brush, syncKey, large, readout };
  return Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)) as Partial<LinesProps>;
}
