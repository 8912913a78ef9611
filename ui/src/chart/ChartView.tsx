import { lazy, Suspense, useMemo, useRef, useState } from "react";
import type { Earlier } from "../api/past";
import type { Ask, Loaded, Wait } from "../api/series";
import type { ChartDraft } from "../api/types";
import type { Search } from "../lib/search";
import { ChartState } from "./ChartState";
import classes from "./ChartView.module.css";
import { type Line, lines } from "./data";
import { kindOf } from "./kind";
import { Legend, type LegendHandle } from "./Legend";
import { Lines, type LinesProps } from "./Lines";
import type { Mark } from "./Marks";
import type { Past } from "./past";
import { placesOf } from "./slots";
import { useEscape } from "./useEscape";
import { useLevel } from "./useLevel";

const BigNumber = lazy(() => import("./BigNumber").then((m) => ({ default: m.BigNumber })));
const PanelView = lazy(() => import("../panels/PanelView"));

/** Says that there is more to come, to whoever waits for all of it. */
const coming = <span data-coming hidden />;

type Behaviour = Pick<
  LinesProps,
  | "onZoom"
  | "onBrush"
  | "brush"
  | "onPan"
  | "onZoomOut"
  | "onOpen"
  | "onAnnotate"
  | "onEvent"
  | "syncKey"
  | "rangeLabel"
  | "large"
  | "readout"
>;
export type ChartViewProps = Behaviour & {
  chart: ChartDraft;
  loaded: Loaded | undefined;
  /** The same, a week earlier; big numbers compare with it. */
  lastWeek?: Loaded | undefined;
  /** The same at another time, drawn faint. */
  past?: Earlier | undefined;
  events?: Mark[];
  /** The last bucket is still being filled. */
  incomplete: boolean;
  error?: unknown;
  retry?: () => void;
  wait?: Wait;
  /** What is drawn is not what was asked for any more. */
  faded?: boolean;
  legend?: boolean;
  /** Under the middle where there is nothing to draw. */
  empty?: React.ReactNode;
  /** How to ask for what else a panel needs. */
  ask?: Ask;
  /** The address of Explore for its streams at a time. */
  explore?: (start: number, end: number) => Search;
  /** It is looked at through a share link. */
  shared?: boolean;
  /** Narrows the page to one value of a tag. */
  onFilter?: (name: string, values: string[], not: boolean) => void;
};

/** The unit beside a chart's title. */
export function unitOf(chart: ChartDraft): string {
  if (chart.label) return chart.label;
  const left = chart.streams.filter((s) => !s.split_axis && !s.hidden && s.type !== "annotation");
  const units = new Set(left.map((s) => s.units_long || s.units_short || ""));
  const [only = ""] = units;
  return units.size === 1 ? only : "";
}

/** What a chart is known by: its number, or what it is made of. */
const nameOf = (chart: ChartDraft & { id?: number }) =>
  String(chart.id ?? chart.streams.map((s) => s.metric ?? s.composite).join());

/** The lines of a chart for what was loaded; groups keep their colours for the session. */
export function useLines(chart: ChartDraft, loaded: Loaded | undefined): Line[] {
  const name = nameOf(chart);
  const memory = useMemo(() => ({ places: placesOf(name), coloured: [] }), [name]);
  return useMemo(
    () => (loaded ? lines(chart.streams, loaded.results, loaded.window, memory) : []),
    [chart.streams, loaded, memory],
  );
}

/** The lines of another time, in the colours of these. */
export function usePast(chart: ChartDraft, past: Earlier | undefined): Past | undefined {
  const drawn = useLines(chart, past?.loaded);
  return useMemo(() => past && { ...past, lines: drawn }, [past, drawn]);
}

/** A chart as it is defined: lines, a stack or a number, with its legend. It fills its parent. */
export function ChartView(props: ChartViewProps) {
  const { chart, loaded, incomplete, events, legend = true } = props;
  const drawn = useLines(chart, loaded);
  const before = useLines(chart, props.lastWeek);
  const past = usePast(chart, props.past);
  const kind = kindOf(chart);
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

  const state = { error: props.error, retry: props.retry, wait: props.wait, over: drawn.length > 0 };
  if (chart.attributes?.repeat || (kind !== "line" && kind !== "stacked" && kind !== "bar" && kind !== "bignumber"))
    return (
      <Suspense fallback={coming}>
        <PanelView {...props} lines={drawn} then={past} />
        <ChartState {...state} />
      </Suspense>
    );
  if (kind === "bignumber")
    return (
      <div className={classes.fill} data-faded={props.faded || undefined}>
        <Suspense fallback={coming}>
          <BigNumber
            waiting={!loaded}
            chart={chart}
            line={drawn[0]}
            lastWeek={before[0]}
            past={past}
            incomplete={incomplete}
            large={props.large ?? false}
          />
        </Suspense>
        <ChartState {...state} />
      </div>
    );
  const square = kind !== "line";
  const nothing = loaded && drawn.length === 0 && !props.error && !props.wait?.stopped;
  const hidden = chart.streams.length > 0 && chart.streams.every((s) => s.hidden);
  return (
    <div className={classes.view} data-large={props.large || undefined}>
      <div className={classes.plot} data-faded={props.error ? "error" : props.faded || undefined}>
        {loaded ? (
          <Lines
            title={chart.name || "Chart"}
            rangeLabel={props.rangeLabel}
            kind={kind as "line" | "stacked" | "bar"}
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
          <div className={classes.frame} data-coming aria-hidden />
        )}
        {nothing && (
          <div className={classes.nothing}>
            <p>{hidden ? "Every stream of this chart is hidden" : "No data for these tags in this range"}</p>
            {!hidden && props.empty}
          </div>
        )}
        <ChartState {...state} />
      </div>
      {legend && (
        <Legend
          ref={names}
          lines={drawn}
          past={past}
          window={loaded?.window}
          links={chart.attributes?.links}
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

function pick(p: Behaviour): Partial<LinesProps> {
  const { onZoom, onPan, onZoomOut, onOpen, onAnnotate, onEvent, onBrush, brush, syncKey, large, readout } = p;
  const given = { onZoom, onPan, onZoomOut, onOpen, onAnnotate, onEvent, onBrush, brush, syncKey, large, readout };
  return Object.fromEntries(Object.entries(given).filter(([, v]) => v !== undefined)) as Partial<LinesProps>;
}
