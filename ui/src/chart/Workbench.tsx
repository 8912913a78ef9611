import { IconDownload } from "@tabler/icons-react";
import { type ReactNode, useMemo, useRef, useState } from "react";
import type { Loaded, Wait } from "../api/series";
import { Switch } from "../components/fields";
import { Panel } from "../components/Panel";
import { Skeleton } from "../components/Skeleton";
import { count, whole } from "../lib/format";
import { download, fileName } from "../lib/text";
import type { Time } from "../time/TimeContext";
import { named, withoutBand } from "./band";
import { ChartState } from "./ChartState";
import { csvOf, withPast } from "./cells";
import type { Line } from "./data";
import { GroupTable, showAt } from "./GroupTable";
import { isolate, Legend, type LegendHandle } from "./Legend";
import { Lines, type LinesProps } from "./Lines";
import { dashOf, palette } from "./palette";
import { changes, type Past } from "./past";
import { pastLevel } from "./pastLevel";
import { SeriesTable } from "./SeriesTable";
import { StreamTools } from "./StreamTools";
import { arranged, noLimit, rowsOf, type StreamRow, type StreamView, tagsOf, wholeView } from "./streams";
import { useEscape } from "./useEscape";
import classes from "./Workbench.module.css";

type Props = {
  title: string;
  /** What a file of the lines is called. */
  file: string;
  unit: string;
  lines: Line[];
  loaded: Loaded | undefined;
  /** How many streams were folded into these lines. */
  streams: number | undefined;
  /** What the lines are told apart by. */
  by: string[];
  time: Time;
  /** What the lines are compared with. */
  past?: Past | undefined;
  /** Whether every one of many streams is drawn, and how that is changed. */
  every: { on: boolean; set: (on: boolean) => void };
  tools?: ReactNode;
  view?: "groups" | "table";
  faded?: boolean;
  /** Why there is nothing to draw, if it is not for want of data. */
  message?: ReactNode;
  error?: unknown;
  retry?: () => void;
  wait?: Wait;
  onAnnotate?: (time: number, until?: number) => void;
} & Pick<LinesProps, "brush" | "onBrush" | "syncKey">;

const page = 25;
const fit = { fit: true };
/** As many streams are seen at a glance. */
const few = 5;
/** As many lines the server sends. */
const mostDrawn = 2_000;

/** A chart and, in place of its legend, a table of its lines. */
export function Workbench(props: Props) {
  const { title, unit, loaded, streams, by, time, tools, every, view = "groups", faded = false } = props;
  // A row is a stream; of too many streams the lines are a band, and the few that are apart.
  const lines = useMemo(() => withoutBand(props.lines), [props.lines]);
  const band = useMemo(() => props.lines.filter((l) => l.summary), [props.lines]);
  const [from, setFrom] = useState(0);
  const [isolated, setIsolated] = useState<ReadonlySet<string>>(new Set());
  const [focused, setFocused] = useState<string | null>(null);
  const table = useRef<HTMLTableElement>(null);
  useEscape(isolated.size > 0, () => setIsolated(new Set()));
  const [only, setOnly] = useState(true);
  const [streamView, setStreamView] = useState(wholeView);
  const [limit, setLimit] = useState(noLimit);
  const { past } = props;
  const measured = useMemo(
    () => rowsOf(lines, past && changes(lines, past, time.canBeLive)),
    [lines, past, time.canBeLive],
  );
  const all = useMemo(() => arranged(measured, streamView), [measured, streamView]);
  const tags = useMemo(() => tagsOf(lines), [lines]);
  const change = (v: StreamView) => {
    setStreamView(v);
    setFrom(0);
  };
  const last = Math.max(0, all.length - 1);
  const start = Math.min(from, last - (last % page));
  const rows = useMemo(() => (all.length > page ? recoloured(all.slice(start, start + page)) : all), [all, start]);
  const shown = useMemo(() => rows.map((r) => r.line), [rows]);
  const drawn = useMemo(() => [...band, ...shown], [band, shown]);
  const level = useMemo(
    () => props.past && pastLevel({ ...props.past, lines: inColoursOf(named(drawn), props.past.lines) }, "line"),
    [props.past, drawn],
  );
  const legend = useRef<LegendHandle>(null);
  const empty = loaded && props.lines.length === 0 && !props.error && !props.wait?.stopped;
  return (
    <div className={classes.bench}>
      <Panel className={classes.chart ?? ""}>
        <div className={classes.head}>
          <h2>{title}</h2>
          <span className="t3">{unit}</span>
          {band.length > 0 && <span className="t3">{bandWords(streams ?? 0, lines.length)}</span>}
          <div className={classes.tools}>
            {(band.length > 0 || every.on) && (
              <Switch small label="Every stream" checked={every.on} onChange={every.set} />
            )}
            {tools}
          </div>
        </div>
        <div className={classes.canvas} data-faded={faded || undefined}>
          {loaded ? (
            <Lines
              title={title}
              rangeLabel={time.label}
              kind="line"
              lines={drawn}
              window={loaded.window}
              left={fit}
              incomplete={time.canBeLive}
              isolated={isolated}
              focused={focused}
              level={level}
              readout={false}
              onCursor={(idx) => {
                showAt(table.current, shown, loaded, idx);
                legend.current?.show(idx);
              }}
              onZoom={time.zoom}
              brush={props.brush}
              {...(props.onBrush && { onBrush: props.onBrush })}
              onPan={time.pan}
              onZoomOut={time.out}
              {...(props.onAnnotate && { onAnnotate: props.onAnnotate })}
            />
          ) : (
            !props.message && <Skeleton height="100%" />
          )}
          {(props.message || empty) && (
            <div className={classes.message}>{props.message ?? "No data for these tags in this range"}</div>
          )}
          <ChartState error={props.error} retry={props.retry} wait={props.wait} over={props.lines.length > 0} />
        </div>
        {band.length > 0 && (
          <Legend
            ref={legend}
            lines={drawn}
            incomplete={time.canBeLive}
            isolated={isolated}
            onIsolate={setIsolated}
            onFocus={setFocused}
          />
        )}
      </Panel>
      <Panel className={classes.tablePanel ?? ""}>
        <div className={classes.head}>
          <h2>
            {all.length < lines.length ? `${whole(all.length)} of ` : ""}
            {band.length > 0
              ? `${count(lines.length, "stream")} apart`
              : count(lines.length, by.length ? "group" : "line")}
          </h2>
          {streams !== undefined && <span className="t3">{`from ${count(streams, "stream")}`}</span>}
          <div className={classes.tools}>
            {all.length > page && <Pages total={all.length} from={start} onChange={setFrom} />}
            <button
              type="button"
              className={classes.csv}
              onClick={() => loaded && save(props.file, props.lines, loaded, past)}
              disabled={props.lines.length === 0}
            >
              <IconDownload size={15} stroke={1.6} /> CSV
            </button>
          </div>
        </div>
        {band.length > 0 && <HowToSeeAll some={lines.length > 0} onEvery={() => every.set(true)} />}
        {lines.length > few && (
          <StreamTools
            view={streamView}
            onView={change}
            shared={tags.shared}
            only={only}
            onOnly={setOnly}
            limit={limit}
            onLimit={setLimit}
          />
        )}
        {all.length === 0 && lines.length > 0 && (
          <p className={classes.none}>
            {`No stream has ${streamView.find.trim()} in a tag. `}
            <button type="button" className={classes.csv} onClick={() => change({ ...streamView, find: "" })}>
              Clear
            </button>
          </p>
        )}
        <div className={classes.scroll}>
          {view === "table" && loaded ? (
            <SeriesTable lines={drawn} window={loaded.window} past={past} />
          ) : (
            <GroupTable
              ref={table}
              rows={rows}
              tags={columnsOf(tags, only)}
              by={by}
              sort={streamView.sort}
              onSort={(sort) => change({ ...streamView, sort })}
              limit={limit}
              than={past?.than}
              isolated={isolated}
              onFocus={setFocused}
              onIsolate={(key, add) => setIsolated(isolate(isolated, key, add))}
            />
          )}
        </div>
      </Panel>
    </div>
  );
}

/** "20,000 streams, 2 of them apart" */
const bandWords = (streams: number, apart: number) =>
  `${count(streams, "stream")}, ${apart ? `${apart} of them` : "none"} apart`;

/** Which streams the table has, of too many for it, and how to come to the others. */
function HowToSeeAll({ some, onEvery }: { some: boolean; onEvery: () => void }) {
  return (
    <p className={classes.none}>
      {some
        ? "Those farthest from the 10th to 90th percentile; the thin lines are the lowest and highest of the rest. "
        : "None is far from the others. "}
      To see others, filter or group by a tag, or{" "}
      <button type="button" className={classes.csv} onClick={onEvery}>
        draw every stream
      </button>
      {`, the first ${whole(mostDrawn)} of them.`}
    </p>
  );
}

/** All lines, not only those of this page. */
function save(file: string, lines: Line[], { window: w }: Loaded, past: Past | undefined): void {
  download(fileName(file, "csv"), csvOf(withPast(lines, w, past), w), "text/csv");
}

/** A page of few lines has all colours to itself. */
const recoloured = (rows: StreamRow[]): StreamRow[] =>
  rows.map((r, i) => ({
    ...r,
    line: { ...r.line, paint: { slot: i % palette.length }, muted: false, dash: dashOf(i) },
  }));

/** Of the past only the lines that are drawn, in the same colours. */
const inColoursOf = (shown: Line[], past: Line[]): Line[] =>
  past.flatMap((l) => {
    const now = shown.find((s) => s.key === l.key);
    return now ? [{ ...l, paint: now.paint }] : [];
  });

/** The tags that have a column: where only one differs, the names of the lines say it. */
function columnsOf({ differing, shared }: ReturnType<typeof tagsOf>, only: boolean): string[] {
  const all = only ? differing : [...differing, ...shared.map(([name]) => name)];
  return all.length > 1 ? all : [];
}

function Pages({ total, from, onChange }: { total: number; from: number; onChange: (n: number) => void }) {
  const to = Math.min(total, from + page);
  return (
    <span className={classes.pages}>
      <button type="button" disabled={from === 0} onClick={() => onChange(from - page)} aria-label="The ones before">
        ‹
      </button>
      {`${from + 1}-${to}`}
      <button type="button" disabled={to >= total} onClick={() => onChange(from + page)} aria-label="The next ones">
        ›
      </button>
    </span>
  );
}
