import { lazy, Suspense, useMemo } from "react";
import type { Earlier } from "../api/past";
import type { Ask, Loaded, Wait } from "../api/series";
import type { ChartDraft } from "../api/types";
import type { Filter } from "../lib/filters";
import { ChartState } from "./ChartState";
import classes from "./ChartView.module.css";
import { Coming } from "./Coming";
import { type Line, lines } from "./data";
import { kindOf } from "./kind";
import type { LinesProps } from "./Lines";
import type { Mark } from "./Marks";
import type { Past } from "./past";
import { placesOf } from "./slots";
import { useDrawing } from "./useDrawing";

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
  /** Its streams can be looked at in Explore, with these filters. */
  explore?: Filter[];
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
  const { chart, loaded, incomplete } = props;
  const drawn = useLines(chart, loaded);
  const before = useLines(chart, props.lastWeek);
  const past = usePast(chart, props.past);
  const kind = kindOf(chart);
  const drawing = useDrawing();

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
  if (drawing) return <drawing.LineView {...props} kind={kind} lines={drawn} then={past} state={state} />;
  return (
    <div className={classes.view} data-large={props.large || undefined}>
      <div className={classes.plot}>
        <Coming />
        <ChartState {...state} />
      </div>
    </div>
  );
}
