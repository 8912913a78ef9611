import { useMemo, useRef, useState } from "react";
import type { Loaded } from "../api/series";
import type { ChartDraft } from "../api/types";
import { BigNumber } from "./BigNumber";
import { Chart, type ChartProps } from "./Chart";
import classes from "./ChartView.module.css";
import { type Line, lines, type Memory } from "./data";
import { Legend, type LegendHandle } from "./Legend";
import type { Mark } from "./Marks";

type Behaviour = Pick<
  ChartProps,
  | "onZoom"
  | "onPan"
  | "onZoomOut"
  | "onOpen"
  | "onAnnotate"
  | "onEvent"
  | "syncKey"
  | "rangeLabel"
  | "large"
  | "readout"
  | "incidents"
  | "threshold"
>;
type Props = Behaviour & {
  chart: ChartDraft;
  loaded: Loaded | undefined;
  /** The same, a week earlier; big numbers compare with it. */
  lastWeek?: Loaded | undefined;
  events?: Mark[];
  /** The last bucket is still being filled. */
  incomplete: boolean;
  error?: unknown;
  retry?: () => void;
  /** What is drawn is not what was asked for any more. */
  faded?: boolean;
  legend?: boolean;
  /** Under the middle where there is nothing to draw. */
  empty?: React.ReactNode;
};

/** The unit beside a chart's title. */
export function unitOf(chart: ChartDraft): string {
  if (chart.label) return chart.label;
  const left = chart.streams.filter((s) => !s.split_axis && s.type !== "annotation");
  const units = new Set(left.map((s) => s.units_long || s.units_short || ""));
  const [only = ""] = units;
  return units.size === 1 ? only : "";
}

/** The lines of a chart for what was loaded; groups keep their colours for the session. */
export function useLines(chart: ChartDraft, loaded: Loaded | undefined): Line[] {
  const memory = useRef<Memory>(new Map());
  return useMemo(
    () => (loaded ? lines(chart.streams, loaded.results, loaded.window, memory.current) : []),
    [chart.streams, loaded],
  );
}

/** A chart as it is defined: lines, a stack or a number, with its legend. It fills its parent. */
export function ChartView(props: Props) {
  const { chart, loaded, incomplete, events, legend = true } = props;
  const drawn = useLines(chart, loaded);
  const before = useLines(chart, props.lastWeek);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const names = useRef<LegendHandle>(null);
  const left = useMemo(
    () => ({ min: chart.min, max: chart.max, log: chart.use_log_yaxis }),
    [chart.min, chart.max, chart.use_log_yaxis],
  );
  const own = useMemo(() => {
    const right = chart.streams.find((s) => s.split_axis);
    return { min: right?.min, max: right?.max };
  }, [chart.streams]);

  if (chart.type === "bignumber")
    return (
      <div className={classes.fill} data-faded={props.faded || undefined}>
        <BigNumber
          waiting={!loaded}
          chart={chart}
          line={drawn[0]}
          lastWeek={before[0]}
          incomplete={incomplete}
          large={props.large ?? false}
        />
        {props.error !== undefined && props.error !== null && <Trouble error={props.error} retry={props.retry} />}
      </div>
    );
  const square = chart.type === "stacked";
  const nothing = loaded && drawn.length === 0 && !props.error;
  return (
    <div className={classes.view} data-large={props.large || undefined}>
      <div className={classes.plot} data-faded={props.faded || (Boolean(props.error) && drawn.length > 0) || undefined}>
        {loaded ? (
          <Chart
            title={chart.name || "Chart"}
            rangeLabel={props.rangeLabel}
            kind={square ? "stacked" : "line"}
            lines={drawn}
            window={loaded.window}
            left={left}
            right={own}
            {...(events && { events })}
            incomplete={incomplete}
            isolated={isolated}
            focused={focused}
            onCursor={(idx) => names.current?.show(idx)}
            {...pick(props)}
          />
        ) : (
          <div className={classes.frame} data-coming aria-hidden />
        )}
        {nothing && (
          <div className={classes.nothing}>
            <p>No data for these tags in this range</p>
            {props.empty}
          </div>
        )}
        {props.error !== undefined && props.error !== null && <Trouble error={props.error} retry={props.retry} />}
      </div>
      {legend && (
        <Legend
          ref={names}
          lines={drawn}
          square={square}
          incomplete={incomplete}
          isolated={isolated}
          onIsolate={setIsolated}
          onFocus={setFocused}
        />
      )}
    </div>
  );
}

function pick(p: Behaviour): Partial<ChartProps> {
  const { onZoom, onPan, onZoomOut, onOpen, onAnnotate, onEvent, syncKey, large, readout, incidents, threshold } = p;
  const given = {
    onZoom,
    onPan,
    onZoomOut,
    onOpen,
    onAnnotate,
    onEvent,
    syncKey,
    large,
    readout,
    incidents,
    threshold,
  };
  return Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)) as Partial<ChartProps>;
}

function Trouble({ error, retry }: { error: unknown; retry: (() => void) | undefined }) {
  return (
    <div className={classes.nothing} role="alert">
      <p>{`Could not load: ${error instanceof Error ? error.message : String(error)}`}</p>
      {retry && (
        <button type="button" className={classes.link} onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
